/// A compression curve as coded (`drc_compression_curve`, TS 103 190-1, 4.3.13.4).
package struct AC4DRCCurve: Sendable, Equatable {
  /// `drc_lev_nullband_low`: dB below the dialogue level at which boost begins.
  package internal(set) var nullBandLow = 0
  /// `drc_lev_nullband_high`: dB above the dialogue level at which cut begins.
  package internal(set) var nullBandHigh = 0
  /// `drc_gain_max_boost`; 0 for none.
  package internal(set) var maximumBoost = 0
  /// `drc_lev_max_boost`; only sent with a boost.
  package internal(set) var maximumBoostLevel = 0
  /// `drc_gain_section_boost`, if the boost has two sections.
  package internal(set) var boostSection: Int?
  /// `drc_lev_section_boost`.
  package internal(set) var boostSectionLevel = 0
  /// `drc_gain_max_cut`; 0 for none.
  package internal(set) var maximumCut = 0
  /// `drc_lev_max_cut`; only sent with a cut.
  package internal(set) var maximumCutLevel = 0
  /// `drc_gain_section_cut`, if the cut has two sections.
  package internal(set) var cutSection: Int?
  /// `drc_lev_section_cut`.
  package internal(set) var cutSectionLevel = 0
  /// Time constants of attack, release, fast attack and fast release, as coded; `nil` for the defaults.
  package internal(set) var timeConstants: [Int]?
  /// Changes of level in dB beyond which the fast attack and release are used, if they are used at all.
  package internal(set) var fastThresholds: [Int]?

  init() {}

  init(_ bits: inout BitReader) throws(AC4Error) {
    nullBandLow = try bits.read(4)
    nullBandHigh = try bits.read(4)
    maximumBoost = try bits.read(4)
    if maximumBoost > 0 {
      maximumBoostLevel = try bits.read(5)
      if try bits.flag() {
        boostSection = try bits.read(4)
        boostSectionLevel = try bits.read(5)
      }
    }
    maximumCut = try bits.read(5)
    if maximumCut > 0 {
      maximumCutLevel = try bits.read(6)
      if try bits.flag() {
        cutSection = try bits.read(5)
        cutSectionLevel = try bits.read(5)
      }
    }
    guard try !bits.flag() else { return }
    var constants: [Int] = []
    for _ in 0..<4 { constants.append(try bits.read(8)) }
    timeConstants = constants
    guard try bits.flag() else { return }
    let attack = try bits.read(5)
    fastThresholds = [attack, try bits.read(5)]
  }
}
