// SPDX-License-Identifier: Apache-2.0
import Signal

/// The checks of units. Unlike catalogued CRCs, none of them appends zeros to its bits: the next bit goes in at the lowest place of
/// the remainder, which is the same as dividing the bits themselves.
struct UnitChecks {
  private static let stride = 256
  /// Remainders of segments, for bytes that stand one to four places before the next one.
  private let segment = Buffer<UInt8>(0, count: 4 * stride)
  /// Remainders of major syncs by the byte that falls out.
  private let sync = Buffer<UInt16>(0, count: stride)

  /// Makes the tables.
  init() {
    for byte in 0..<UnitChecks.stride {
      var (short, long) = (UInt8(truncatingIfNeeded: byte), UInt16(byte) << 8)
      for _ in 0..<8 { long = long << 1 ^ (long >> 15 == 1 ? 0x2D : 0) }
      sync.base[byte] = long
      for place in 0..<4 {
        for _ in 0..<8 { short = short << 1 ^ (short >> 7 == 1 ? 0x63 : 0) }
        segment.base[place * UnitChecks.stride + byte] = short
      }
    }
  }

  /// The parity and the CRC of a segment's bytes.
  func ofSegment(_ bytes: UnsafeBufferPointer<UInt8>) -> (parity: UInt8, crc: UInt8) {
    var (parity, crc): (UInt8, UInt8) = (0xA9, 0xA2)
    guard let base = bytes.baseAddress else { return (parity, crc) }
    let table = segment.base
    var place = 0
    while place + 4 <= bytes.count {
      let (a, b, c, d) = (base[place], base[place + 1], base[place + 2], base[place + 3])
      parity ^= a ^ b ^ c ^ d
      crc = table[768 + Int(crc)] ^ table[512 + Int(a)] ^ table[256 + Int(b)] ^ table[Int(c)] ^ d
      place += 4
    }
    while place < bytes.count {
      parity ^= base[place]
      crc = table[Int(crc)] ^ base[place]
      place += 1
    }
    return (parity, crc)
  }

  /// The CRC of a major sync without its last two bytes.
  func ofSync(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in sync.base[Int(sum >> 8)] ^ sum << 8 ^ UInt16(byte) }
  }

  /// The CRC of the bits of a restart header, which begins and ends at any bit.
  static func ofRestart(_ bits: BitReader, count: Int) throws(TrueHDError) -> Int {
    var bits = bits
    var sum = 0
    for _ in 0..<count {
      sum = sum << 1 ^ (try bits.read(1))
      if sum > 0xFF { sum ^= 0x11D }
    }
    return sum
  }

  /// The exclusive or of bytes, which parities are made of.
  static func parity(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }
}
