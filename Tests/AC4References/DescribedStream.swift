// SPDX-License-Identifier: Apache-2.0
@testable import AC4

/// Gives synthetic frames a presentation substream that says how they are mixed down.
struct DescribedStream {
  /// Gains of the downmix, as coded.
  struct Downmix {
    var loRo = (centre: 4, surround: 4)
    var ltRt: (centre: Int, surround: Int)?
    var lfe: Int?
    var method = 0
    var loRoCorrection: Int?
    var ltRtCorrection: Int?
  }

  private var stream: SyntheticStream
  private let mode: AC4ChannelMode
  private var counter = 0

  /// A stream at frame rate index 13 and 48 kHz.
  init(_ mode: AC4ChannelMode, seed: UInt64) throws {
    self.mode = mode
    stream = SyntheticStream(try AC4FrameRate(index: 13, is48kHz: true), mode, seed: seed)
  }

  /// The next frame, an I-frame; a wide or height pair goes where `add_ch_base` says.
  mutating func next(_ downmix: Downmix?, addsToSurrounds: Bool = false) throws -> [UInt8] {
    let raw = stream.next().raw
    let place = try AC4TableOfContents(rawFrame: raw).substreams[0]
    let own = presentation(downmix)
    counter += 1
    let head = table([place.count, own.count], addsToSurrounds)
    return head + raw[place] + own
  }

  /// `ac4_presentation_substream` without names, additional data, loudness and DRC.
  private func presentation(_ downmix: Downmix?) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0, 1)
    bits.write(92, 7)
    bits.write(0, 1)
    // One bit of DRC data: none.
    bits.write(1, 5)
    bits.write(0, 1)
    bits.write(0, 1)
    bits.write(0, 1)
    let number = mode.rawValue
    if number >= 3 {
      bits.write(downmix != nil)
      if let downmix { write(downmix, &bits) }
    }
    if number > 4 { bits.write(0, 1) }
    if number > 1 {
      bits.write(optional: downmix?.loRoCorrection, 5)
      bits.write(optional: downmix?.ltRtCorrection, 5)
    }
    if number > 4 { bits.write(0, 1) }
    bits.align()
    return bits.bytes
  }

  private func write(_ downmix: Downmix, _ bits: inout BitWriter) {
    bits.write(downmix.loRo.centre, 3)
    bits.write(downmix.loRo.surround, 3)
    bits.write(downmix.ltRt != nil)
    if let own = downmix.ltRt {
      bits.write(own.centre, 3)
      bits.write(own.surround, 3)
    }
    if mode.hasLFE { bits.write(optional: downmix.lfe, 5) }
    bits.write(downmix.method, 2)
  }

  /// A table of contents with one presentation, whose audio is substream 0 and which is itself
  /// substream 1.
  private func table(_ sizes: [Int], _ addsToSurrounds: Bool) -> [UInt8] {
    var bits = BitWriter()
    bits.write(2, 2)
    bits.write(counter % 1020, 10)
    bits.write(0b0_1, 2)
    bits.write(13, 4)
    bits.write(0b11_00, 4)
    bits.write(0b1_10_000_0, 7)
    bits.write(0, 2 + 3 + 1 + 2 + 2)
    bits.write(0, 1)
    bits.write(0, 3)
    bits.write(0, 2)
    bits.write(0b01, 2)
    bits.write(1, 2)
    bits.write(0b1_0_1_1, 4)
    let code = [
      "0", "10", "1100", "1101", "1110", "1111000", "1111001", "1111010", "1111011", "1111100",
      "1111101",
    ][mode.rawValue]
    for bit in code { bits.write(bit == "1") }
    bits.write(0, 2)
    if mode.rawValue >= 7 { bits.write(addsToSurrounds) }
    bits.write(1, 1)
    bits.write(0, 2)
    bits.write(0, 1)
    bits.write(sizes.count, 2)
    for size in sizes {
      // Sizes of 1024 and more go on in variable_bits(2); two groups hold up to 20 · 1024.
      bits.write(size >= 1024)
      bits.write(size & 1023, 10)
      guard size >= 1024 else { continue }
      let rest = size >> 10
      if rest < 4 {
        bits.write(rest << 1, 3)
      } else {
        bits.write(((rest - 4) >> 2) * 2 + 1, 3)
        bits.write((rest & 3) * 2, 3)
      }
    }
    bits.align()
    return bits.bytes
  }
}
