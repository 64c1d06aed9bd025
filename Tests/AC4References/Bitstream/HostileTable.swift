// SPDX-License-Identifier: Apache-2.0
@testable import AC4

/// Tables of contents that name one group over and over.
enum HostileTable {
  /// A frame whose presentations have `groups` times group 0, which has so many substreams.
  static func frame(groups: Int, substreams: Int, presentations: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(2, 2)
    bits.write(1, 10)
    bits.write(0b0_1, 2)
    bits.write(13, 4)
    bits.write(1, 1)
    bits.write(presentations == 1)
    if presentations > 1 {
      bits.write(1, 1)
      SyntheticStream.variable(presentations - 2, &bits)
    }
    bits.write(0, 2)
    for _ in 0..<presentations {
      bits.write(0, 1)
      bits.write(5, 3)
      bits.write(0b10, 2)
      bits.write(0, 3 + 1)
      bits.write(0, 2 + 3 + 1 + 2 + 2)
      bits.write(0, 1)
      bits.write(0, 1)
      count(groups, &bits)
      for _ in 0..<groups { bits.write(0, 3) }
      bits.write(0, 2)
      bits.write(0b01, 2)
      bits.write(0, 2)
    }
    bits.write(0b1_0, 2)
    bits.write(substreams == 1)
    if substreams > 1 { count(substreams, &bits) }
    bits.write(1, 1)
    for _ in 0..<substreams {
      // Stereo, no rates, an I-frame, substream 1.
      bits.write(0b10, 2)
      bits.write(0, 2)
      bits.write(1, 1)
      bits.write(1, 2)
    }
    bits.write(0, 1)
    bits.write(2, 2)
    for _ in 0..<2 { bits.write(0, 11) }
    bits.align()
    return bits.bytes
  }

  /// Two bits for 2 to 4, from 5 on `variable_bits(2)`.
  private static func count(_ count: Int, _ bits: inout BitWriter) {
    bits.write(min(count - 2, 3), 2)
    if count >= 5 { SyntheticStream.variable(count - 5, &bits) }
  }
}
