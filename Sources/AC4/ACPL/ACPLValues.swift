/// Turns indices of coupling parameters into gains (TS 103 190-1, Tables 203 to 208).
enum ACPLValues {
  /// The rows of one band of one parameter set, dequantised.
  struct Pair: Equatable {
    /// Share of the difference that follows the carrier.
    var alpha: Float = 0
    /// Share of the decorrelated signal.
    var beta: Float = 0

    init() {}

    /// The values of two indices; beta's table has a column for each alpha.
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

  /// beta3 of an index.
  static func beta3(_ index: Int16, isCoarse: Bool) -> Float {
    Float(index) * (isCoarse ? 0.25 : 0.125)
  }

  /// gamma of an index.
  static func gamma(_ index: Int16, isCoarse: Bool) -> Float {
    Float(index) * (isCoarse ? 3276 : 1638) / 16384
  }
}
