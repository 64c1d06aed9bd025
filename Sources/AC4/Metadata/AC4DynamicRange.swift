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
