import TestSupport

@testable import AC4

/// Writes streams without spectral extension whose lines are known, at any frame rate.
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

  init(_ rate: AC4FrameRate, _ mode: AC4ChannelMode, seed: UInt64) {
    self.rate = rate
    self.mode = mode
    noise = SeededNoise(seed: seed)
  }

  /// The next frame, with random windows, groups and lines.
  mutating func next() -> Frame {
    var frame = Frame()
    var audio = BitWriter()
    var element = SyntheticElement(rate.codedFrameLength, mode)
    element.write(&audio, &noise)
    frame.windows = element.windows
    frame.lines = element.lines
    audio.align()
    var substream = BitWriter()
    substream.write(audio.bytes.count, 15)
    substream.write(0, 1)
    substream.write(audio.bytes)
    // No basic metadata, no dialogue, no classifier, no events, one bit of tools, no payloads.
    substream.write(0, 1)
    substream.write(0, 3)
    substream.write(1, 7)
    substream.write(0, 1)
    substream.write(0, 1)
    substream.write(0, 1)
    substream.align()
    frame.raw = table(substream.bytes.count) + substream.bytes
    counter += 1
    return frame
  }

  private func table(_ size: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(2, 2)
    bits.write(counter % 1020 + 1, 10)
    bits.write(0, 1)
    bits.write(rate.is48kHz)
    bits.write(rate.index, 4)
    bits.write(0b11_00, 4)
    // One presentation of version 1 with one group.
    bits.write(0b1_10_000_0, 7)
    switch rate.index {
    case 0, 1, 2, 3, 4, 7, 8, 9: bits.write(0, 1)
    default: break
    }
    if (5...12).contains(rate.index) { bits.write(0, 1) }
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
      "1111100", "1111101",
    ][mode.rawValue]
    for bit in code { bits.write(bit == "1") }
    if rate.is48kHz { bits.write(0, 1) }
    bits.write(0, 1)
    if mode.rawValue >= 7 { bits.write(0, 1) }
    bits.write(1, 1)
    bits.write(0, 2)
    bits.write(0, 1)
    // The sizes of one substream.
    bits.write(1, 2)
    bits.write(1, 1)
    bits.write(size >= 1024)
    bits.write(size & 1023, 10)
    if size >= 1024 { SyntheticStream.variable(size >> 10, &bits) }
    bits.align()
    return bits.bytes
  }

  /// `variable_bits(2)`.
  private static func variable(_ value: Int, _ bits: inout BitWriter) {
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
