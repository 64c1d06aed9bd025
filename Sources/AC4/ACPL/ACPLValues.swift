/// Dequantisation of A-CPL parameters (TS 103 190-1, Tables 203 to 208).
enum ACPLValues {
  /// α and β of one band of one parameter set.
  struct Pair: Equatable {
    /// How a carrier is split between its two channels.
    var alpha: Float = 0
    /// How much of the decorrelated carrier goes into them.
    var beta: Float = 0

    init() {}

    /// The values of two indices. The table of β has columns, which α chooses.
    init(alpha: Int16, beta: Int16, isCoarse: Bool) {
      let place = Int(alpha)
      if isCoarse {
        self.alpha = ACPLTables.alphaCoarse[place]
        self.beta = ACPLTables.betaCoarse[Int(beta) * 5 + ACPLTables.columnCoarse[place]]
      } else {
        self.alpha = ACPLTables.alphaFine[place]
        self.beta = ACPLTables.betaFine[Int(beta) * 9 + ACPLTables.columnFine[place]]
      }
    }
  }

  /// β₃ of an index.
  static func beta3(_ index: Int16, isCoarse: Bool) -> Float {
    Float(index) * (isCoarse ? 0.25 : 0.125)
  }

  /// γ of an index: steps of about 0.1 or 0.2 in fixed-point numbers.
  static func gamma(_ index: Int16, isCoarse: Bool) -> Float {
    Float(index) * (isCoarse ? 3276 : 1638) / 16384
  }
}
