// SPDX-License-Identifier: Apache-2.0
import Signal

/// Dynamic range control of a frame (`drc_frame`, TS 103 190-1, 4.2.14.5).
package struct AC4DynamicRange: Sendable, Equatable {
  /// The configured modes in the order of the stream.
  package internal(set) var modes: [AC4DRCMode] = []
  /// `drc_eac3_profile`: 0 none, 1 film standard, 2 film light, 3 music standard, 4 music light,
  /// 5 speech.
  package internal(set) var profile = 0
  /// `drc_reset_flag`: whether the smoothing of curves' gains forgets the frames before.
  package internal(set) var isReset = false
  /// Transmitted gains of each mode by channel group, band and subframe, in dB2 (6 double the amplitude);
  /// empty for modes with a curve.
  package internal(set) var gains: [[Int]] = []
  /// `b_drc_present`: whether the frame carries dynamic range data.
  package internal(set) var isPresent = false

  init() {}

  /// `drc_config`.
  mutating func readConfiguration(_ bits: inout BitReader) throws(AC4Error) {
    modes = []
    for _ in 0...(try bits.read(3)) { modes.append(try AC4DRCMode(&bits, earlier: modes)) }
    profile = try bits.read(3)
  }

  /// `drc_data`.
  /// - Parameters:
  ///   - channels: groups of channels with gains of their own, 1, 3 or 4.
  ///   - subframes: number of gains along time in a frame.
  mutating func readData(
    _ bits: inout BitReader, channels: Int, subframes: Int, _ decoder: HuffmanDecoder
  ) throws(AC4Error) {
    gains = []
    for mode in modes {
      guard case .gains(let configuration) = mode.profile else {
        gains.append([])
        continue
      }
      var size = try bits.read(6)
      if try bits.flag() { size += try bits.variableBits(2) << 6 }
      let start = bits.position
      let version = try bits.read(2)
      var values: [Int] = []
      if version <= 1 {
        values = try AC4DynamicRange.readGains(
          &bits, configuration, channels, subframes, decoder)
      }
      if version >= 1 { try bits.move(to: start + size) }
      gains.append(values)
    }
    guard modes.contains(where: \.usesCurve) else { return }
    isReset = try bits.flag()
    // Reserved.
    try bits.skip(2)
  }

  /// `drc_gains`.
  private static func readGains(
    _ bits: inout BitReader, _ configuration: Int, _ channels: Int, _ subframes: Int,
    _ decoder: HuffmanDecoder
  ) throws(AC4Error) -> [Int] {
    let first = try bits.read(7) - 64
    guard configuration > 0 else { return [first] }
    // `nr_drc_bands` by `drc_gains_config`.
    let bands = [1, 1, 2, 4][configuration]
    var values: [Int] = []
    for _ in 0..<channels {
      for band in 0..<bands {
        for subframe in 0..<subframes {
          if values.isEmpty {
            values.append(first)
            continue
          }
          let place = values.count
          // Differences refer to the subframe before, else to the first of the band before, else to the
          // first of the channel group before.
          let reference =
            subframe > 0 ? place - 1 : band > 0 ? place - subframes : place - bands * subframes
          values.append(values[reference] + (try decoder.value(&bits)))
        }
      }
    }
    return values
  }
}

/// One decoder mode of dynamic range control (`drc_decoder_mode_config`, TS 103 190-1, 4.3.13.3).
package struct AC4DRCMode: Sendable, Equatable {
  /// How the mode gets its gains.
  package enum Profile: Sendable, Equatable {
    /// From the standard curve that `drc_eac3_profile` names.
    case standard
    /// From a curve that the stream carries.
    case curve(AC4DRCCurve)
    /// From gains that each frame carries, with this `drc_gains_config`, 0…3.
    case gains(Int)
  }

  /// `drc_decoder_mode_id`: 0 home theatre, 1 flat panel, 2 portable speakers, 3 portable headphones.
  package internal(set) var id: Int
  /// First and last output level that a mode above 3 is for, in dB below full scale.
  package internal(set) var outputLevels: [Int]?
  /// `drc_repeat_id`: the mode whose profile this one shares.
  package internal(set) var repeats: Int?
  /// How the mode gets its gains.
  package internal(set) var profile: Profile

  init(_ bits: inout BitReader, earlier: [AC4DRCMode]) throws(AC4Error) {
    id = try bits.read(3)
    if id > 3 {
      let from = try bits.read(5)
      outputLevels = [from, try bits.read(5)]
    }
    if try bits.flag() {
      let other = try bits.read(3)
      guard let shared = earlier.first(where: { $0.id == other }) else {
        throw .damaged("DRC mode \(id) repeats mode \(other), which isn't there")
      }
      repeats = other
      profile = shared.profile
    } else if try bits.flag() {
      profile = .standard
    } else if try bits.flag() {
      profile = .curve(try AC4DRCCurve(&bits))
    } else {
      profile = .gains(try bits.read(2))
    }
  }

  /// Whether the gains come from a curve.
  var usesCurve: Bool {
    if case .gains = profile { return false }
    return true
  }
}

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

/// Reads `drc_frame` and keeps its settings from one I-frame to the next
/// (TS 103 190-1, 4.2.14.5).
struct DynamicRangeReader {
  /// The data of the last frame that had any; `nil` without settings.
  private var last: AC4DynamicRange?

  /// The dynamic range data at the reader's position.
  mutating func read(
    _ bits: inout BitReader, _ context: MetadataContext
  ) throws(AC4Error) -> AC4DynamicRange {
    guard try bits.flag() else {
      // An I-frame without data takes the settings back.
      if context.isIFrame { last = nil }
      var absent = last ?? AC4DynamicRange()
      absent.isPresent = false
      absent.isReset = false
      absent.gains = []
      return absent
    }
    var current = last ?? AC4DynamicRange()
    if context.isIFrame {
      try current.readConfiguration(&bits)
    } else if last == nil {
      throw .needsIFrame("dynamic range data")
    }
    current.isPresent = true
    current.isReset = false
    try current.readData(
      &bits, channels: context.gainChannels, subframes: context.subframes,
      context.books.dynamicRange)
    last = current
    return current
  }
}
