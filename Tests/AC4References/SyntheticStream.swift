// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import AC4

/// Writes streams whose lines are known, at any frame rate.
struct SyntheticStream {
  /// A frame and what is in it.
  struct Frame {
    var raw: [UInt8] = []
    /// Window lengths of each channel.
    var windows: [[Int]] = []
    /// Dequantised lines of each channel, window after window.
    var lines: [[Double]] = []
  }

  let rate: AC4FrameRate
  let mode: AC4ChannelMode
  private var noise: SeededNoise
  private var counter = 0

  /// Codec frames in each transport frame: 1, 2 or 4.
  private let parts: Int
  /// `add_ch_base`.
  private let addsToSurrounds: Bool
  /// `sf_multiplier`, if sent.
  private let rateMultiplier: Int?
  /// Modes 11 and 12: whether there are backs, and `top_channels_present`.
  var immersion = (hasBacks: true, tops: 3)
  private let makeAudio: (Int, AC4ChannelMode) -> any SyntheticAudio

  /// A stream of elements that `audio` makes for a frame length; by default without any tools
  /// behind the transform.
  init(
    _ rate: AC4FrameRate, _ mode: AC4ChannelMode, seed: UInt64, parts: Int = 1,
    addsToSurrounds: Bool = false, rateMultiplier: Int? = nil,
    audio: @escaping (Int, AC4ChannelMode) -> any SyntheticAudio = { SyntheticElement($0, $1) }
  ) {
    self.rate = rate
    self.parts = parts
    self.addsToSurrounds = addsToSurrounds
    self.rateMultiplier = rateMultiplier
    makeAudio = audio
    self.mode = mode
    noise = SeededNoise(seed: seed)
  }

  /// The next frame, with random windows, groups and lines.
  mutating func next(isIFrame: Bool = true) -> Frame {
    var frame = Frame()
    frame.windows = Array(repeating: [], count: mode.channels)
    frame.lines = frame.windows.map { _ in [] }
    var substreams: [[UInt8]] = []
    for _ in 0..<parts {
      var element = makeAudio(rate.codedFrameLength / parts, mode)
      element.isIFrame = isIFrame
      substreams.append(substream(&element))
      for channel in 0..<mode.channels {
        frame.windows[channel] += element.windows[channel]
        frame.lines[channel] += element.lines[channel]
      }
    }
    frame.raw =
      table(substreams.map(\.count), isIFrame, rate, counter: counter % 1020 + 1)
      + substreams.flatMap { $0 }
    counter += 1
    return frame
  }

  /// A frame in `count` parts at the higher rate that this takes (efficient high frame rate mode). Each part has an
  /// arbitrary share of the substream, and may have none.
  mutating func spread(_ frame: Frame, number: Int, isIFrame: Bool, over count: Int) throws
    -> [[UInt8]]
  {
    let index = count == 4 ? rate.index + 8 : rate.index <= 4 ? rate.index + 5 : rate.index + 3
    let high = try AC4FrameRate(index: index, is48kHz: true)
    let toc = try AC4TableOfContents(rawFrame: frame.raw)
    let bytes = Array(frame.raw[toc.substreams[0]])
    let cuts =
      [0] + (1..<count).map { _ in Int.random(in: 0...bytes.count, using: &noise) }.sorted()
      + [bytes.count]
    return (0..<count).map { part in
      let own = bytes[cuts[part]..<cuts[part + 1]]
      return table(
        [own.count], isIFrame && part == 0, high, counter: count * (number + 1) + part,
        fraction: count) + own
    }
  }

  private mutating func substream(_ element: inout any SyntheticAudio) -> [UInt8] {
    var audio = BitWriter()
    element.write(&audio, &noise)
    audio.align()
    var bits = BitWriter()
    bits.write(audio.bytes.count, 15)
    bits.write(0, 1)
    bits.write(audio.bytes)
    // No basic metadata, no dialogue, no classifier, no events, one bit of tools, no payloads.
    bits.write(0, 1)
    bits.write(0, 3)
    bits.write(1, 7)
    bits.write(0, 1)
    bits.write(0, 1)
    bits.write(0, 1)
    bits.align()
    return bits.bytes
  }

  private func table(
    _ sizes: [Int], _ isIFrame: Bool, _ rate: AC4FrameRate, counter: Int, fraction: Int = 1
  ) -> [UInt8] {
    var bits = BitWriter()
    bits.write(2, 2)
    bits.write(counter, 10)
    bits.write(0, 1)
    bits.write(rate.is48kHz)
    bits.write(rate.index, 4)
    bits.write(isIFrame)
    bits.write(0b1_00, 3)
    // One presentation of version 1 with one group.
    bits.write(0b1_10_000_0, 7)
    writeRates(rate, fraction, &bits)
    bits.write(0, 2 + 3 + 1 + 2 + 2)
    bits.write(0, 1)
    bits.write(0, 3)
    bits.write(0, 2)
    bits.write(0b01, 2)
    bits.write(1, 2)
    // The group: one substream of channels.
    bits.write(0b1_0_1_1, 4)
    let code = [
      "0", "10", "1100", "1101", "1110", "1111000", "1111001", "1111010", "1111011",
      "1111100", "1111101", "11111100", "11111101",
    ][mode.rawValue]
    for bit in code { bits.write(bit == "1") }
    if mode.rawValue >= 11 {
      bits.write(immersion.hasBacks)
      bits.write(1, 1)
      bits.write(immersion.tops, 2)
    }
    if rate.is48kHz {
      bits.write(rateMultiplier != nil)
      if let rateMultiplier { bits.write(rateMultiplier, 1) }
    }
    bits.write(0, 1)
    if (7...10).contains(mode.rawValue) { bits.write(addsToSurrounds) }
    for _ in 0..<parts { bits.write(isIFrame) }
    bits.write(0, 2)
    bits.write(0, 1)
    SyntheticStream.writeSizes(sizes, &bits)
    return bits.bytes
  }

  /// How many codec frames a frame has, or over how many frames one is spread.
  private func writeRates(_ rate: AC4FrameRate, _ fraction: Int, _ bits: inout BitWriter) {
    switch rate.index {
    case 2, 3, 4:
      bits.write(parts > 1)
      if parts > 1 { bits.write(parts == 4) }
    case 0, 1, 7, 8, 9: bits.write(parts > 1)
    default: break
    }
    let hasFraction = (5...9).contains(rate.index) && parts == 1 || (10...12).contains(rate.index)
    if hasFraction { bits.write(fraction > 1) }
    if hasFraction, fraction > 1, rate.index >= 10 { bits.write(fraction == 4) }
  }

  /// `substream_index_table`, which ends the table of contents.
  static func writeSizes(_ sizes: [Int], _ bits: inout BitWriter) {
    bits.write(sizes.count < 4 ? sizes.count : 0, 2)
    if sizes.count >= 4 { variable(sizes.count - 4, &bits) }
    // `b_size_present`: with one substream, its size may be left out.
    if sizes.count == 1 { bits.write(1, 1) }
    for size in sizes {
      bits.write(size >= 1024)
      bits.write(size & 1023, 10)
      if size >= 1024 { variable(size >> 10, &bits) }
    }
    bits.align()
  }

  /// `variable_bits(2)`.
  static func variable(_ value: Int, _ bits: inout BitWriter) {
    var groups = [value & 3]
    var rest = value >> 2
    while rest > 0 {
      rest -= 1
      groups.append(rest & 3)
      rest >>= 2
    }
    for (place, group) in groups.reversed().enumerated() {
      bits.write(group, 2)
      bits.write(place < groups.count - 1)
    }
  }
}
