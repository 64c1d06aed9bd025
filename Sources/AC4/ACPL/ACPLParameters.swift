import Signal

/// One `acpl_data_1ch` or `acpl_data_2ch` (TS 103 190-1, 4.2.13.3 and 4.2.13.4).
final class ACPLParameters {
  /// Values from one row to the next.
  static let rowLength = 15
  /// Rows of `acpl_data_2ch`, the larger element.
  static let rowCount = 11
  /// Values of one parameter set.
  static let setLength = rowCount * rowLength
  /// Rows of `acpl_data_1ch`.
  static let pair: [ACPLQuantity] = [.alpha, .beta]
  /// Rows of `acpl_data_2ch`: alpha 1 and 2, beta 1 and 2, beta 3, gamma 1 to 6.
  static let wide: [ACPLQuantity] = [
    .alpha, .alpha, .beta, .beta, .beta3, .gamma, .gamma, .gamma, .gamma, .gamma, .gamma,
  ]

  /// The settings of the last I-frame.
  private(set) var configuration: ACPLConfiguration?
  /// Whether values change at once instead of along a line (`acpl_interpolation_type`).
  private(set) var isSteep = false
  /// Parameter sets in the frame: 1 or 2.
  private(set) var setCount = 1
  /// QMF slot from which each set holds when changes are steep.
  private(set) var slots = SIMD2<Int>(0, 0)
  /// Quantised values: set, row, parameter band.
  let values = FixedBuffer<Int16>(0, count: 2 * setLength)

  /// Reads the element.
  /// - Parameter history: the values of the last frame's last set, in rows, which become this frame's.
  func read(
    _ bits: inout BitReader, _ configuration: ACPLConfiguration, _ books: ACPLBooks,
    history: UnsafeMutablePointer<Int16>
  ) throws(AC4Error) {
    self.configuration = configuration
    isSteep = try bits.flag()
    setCount = try bits.read(1) + 1
    if isSteep { for set in 0..<setCount { slots[set] = try bits.read(5) } }
    let rows = configuration.isWide ? ACPLParameters.wide : ACPLParameters.pair
    for (row, quantity) in rows.enumerated() {
      let last = history + row * ACPLParameters.rowLength
      for set in 0..<setCount {
        let target = values.base + set * ACPLParameters.setLength + row * ACPLParameters.rowLength
        target.update(from: last, count: ACPLParameters.rowLength)
        try readRow(&bits, configuration, quantity, books, target)
        last.update(from: target, count: ACPLParameters.rowLength)
      }
    }
  }

  /// `acpl_huff_data`: a row coded along frequency, or along time as differences to the values in `target`.
  private func readRow(
    _ bits: inout BitReader, _ configuration: ACPLConfiguration, _ quantity: ACPLQuantity,
    _ books: ACPLBooks, _ target: UnsafeMutablePointer<Int16>
  ) throws(AC4Error) {
    let isCoarse = configuration.isCoarse(quantity)
    let family = books.family(quantity, isCoarse: isCoarse)
    let range = quantity.range(isCoarse: isCoarse)
    let start = configuration.firstBand
    let overTime = try bits.flag()
    var value = 0
    for band in 0..<ACPLParameters.rowLength {
      guard (start..<configuration.bandCount).contains(band) else {
        target[band] = 0
        continue
      }
      if overTime {
        value = Int(target[band]) + (try family.time.value(&bits))
      } else {
        value += try (band == start ? family.first : family.frequency).value(&bits)
      }
      guard range.contains(value) else { throw .damaged("coupling parameter \(value)") }
      target[band] = Int16(value)
    }
  }
}
