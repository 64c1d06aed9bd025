// SPDX-License-Identifier: Apache-2.0
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
  let values = Buffer<Int16>(0, count: 2 * setLength)

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

/// The A-CPL settings of an I-frame (`acpl_config_1ch` and `acpl_config_2ch`,
/// TS 103 190-1, 4.2.13.1 and 4.2.13.2).
struct ACPLConfiguration: Equatable {
  /// Parameter bands for each `acpl_num_param_bands_id`.
  private static let bandCounts = [15, 12, 9, 7]

  /// Parameter bands: 15, 12, 9 or 7.
  let bandCount: Int
  /// Whether alpha, beta and beta3 have the coarse steps (`acpl_quant_mode`, `acpl_quant_mode_0`).
  let isCoarse: Bool
  /// Whether gamma has the coarse steps (`acpl_quant_mode_1`).
  let isGammaCoarse: Bool
  /// First subband with parameters (`acpl_qmf_band`), 0…8. Below it a residual is coded beside the carrier.
  let firstSubband: Int
  /// Whether the element makes five channels from two (`acpl_config_2ch`).
  let isWide: Bool

  /// Reads the configuration of a coupled codec mode.
  init(_ bits: inout BitReader, _ mode: CodecMode) throws(AC4Error) {
    bandCount = ACPLConfiguration.bandCounts[try bits.read(2)]
    isCoarse = try bits.flag()
    isWide = mode == .widelyCoupled
    isGammaCoarse = isWide ? try bits.flag() : false
    firstSubband = mode == .partlyCoupled ? try bits.read(3) + 1 : 0
  }

  /// Parameter band of each subband.
  var bandOfSubband: [UInt8] {
    switch bandCount {
    case 15: return ACPLTables.bands15
    case 12: return ACPLTables.bands12
    case 9: return ACPLTables.bands9
    default: return ACPLTables.bands7
    }
  }

  /// First parameter band that is sent.
  var firstBand: Int { Int(bandOfSubband[firstSubband]) }

  /// Whether `quantity` has the coarse steps.
  func isCoarse(_ quantity: ACPLQuantity) -> Bool {
    quantity == .gamma ? isGammaCoarse : isCoarse
  }
}

/// The parameters of A-CPL (TS 103 190-1, Table 148).
enum ACPLQuantity: Int {
  /// α: how a carrier is split between its two channels, (1 + α) to (1 − α).
  case alpha
  /// β: how much of the decorrelated carrier goes into its two channels, with opposite signs.
  case beta
  /// β₃: how much of the third decorrelated signal goes into the five channels.
  case beta3
  /// γ: how much of a carrier goes into the channels of one side, or into the centre.
  case gamma

  /// The indices that Tables 203 to 208 have values for.
  func range(isCoarse: Bool) -> ClosedRange<Int> {
    switch self {
    case .alpha: return 0...(isCoarse ? 16 : 32)
    case .beta: return 0...(isCoarse ? 4 : 8)
    case .beta3: return 0...(isCoarse ? 8 : 16)
    case .gamma: return isCoarse ? -10...10 : -20...20
    }
  }
}

/// Codebooks of advanced coupling (A-CPL, TS 103 190-1, Annex A.3).
final class ACPLBooks {
  private let fine = [
    BookFamily(Codebooks.acplAlphaFineF0, Codebooks.acplAlphaFineDf, Codebooks.acplAlphaFineDt),
    BookFamily(Codebooks.acplBetaFineF0, Codebooks.acplBetaFineDf, Codebooks.acplBetaFineDt),
    BookFamily(Codebooks.acplBeta3FineF0, Codebooks.acplBeta3FineDf, Codebooks.acplBeta3FineDt),
    BookFamily(Codebooks.acplGammaFineF0, Codebooks.acplGammaFineDf, Codebooks.acplGammaFineDt),
  ]
  private let coarse = [
    BookFamily(
      Codebooks.acplAlphaCoarseF0, Codebooks.acplAlphaCoarseDf, Codebooks.acplAlphaCoarseDt),
    BookFamily(
      Codebooks.acplBetaCoarseF0, Codebooks.acplBetaCoarseDf, Codebooks.acplBetaCoarseDt),
    BookFamily(
      Codebooks.acplBeta3CoarseF0, Codebooks.acplBeta3CoarseDf, Codebooks.acplBeta3CoarseDt),
    BookFamily(
      Codebooks.acplGammaCoarseF0, Codebooks.acplGammaCoarseDf, Codebooks.acplGammaCoarseDt),
  ]

  func family(_ quantity: ACPLQuantity, isCoarse: Bool) -> BookFamily {
    (isCoarse ? coarse : fine)[quantity.rawValue]
  }
}
