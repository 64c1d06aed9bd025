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
