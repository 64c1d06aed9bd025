/// The checksum XXH64 of bytes, as in "xxHash fast digest algorithm" 0.1.1 by Yann Collet.
///
/// It finds damage, and it is as fast as samples can be copied. It is no proof against somebody who writes
/// content with a valid checksum.
enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of `bytes`; another `seed` gives another one.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var hash = seed &+ prime5
    var offset = 0
    if bytes.count >= 32 { (hash, offset) = stripes(bytes, seed) }
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash = rotate(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash = rotate(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      offset += 4
    }
    for byte in bytes[offset...] { hash = rotate(hash ^ UInt64(byte) &* prime5, 11) &* prime1 }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  /// The checksum of `bytes`.
  static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBytes { of($0, seed: seed) }
  }

  /// The state after all whole stripes of 32 bytes, and how many bytes they have.
  private static func stripes(
    _ bytes: UnsafeRawBufferPointer, _ seed: UInt64
  ) -> (hash: UInt64, offset: Int) {
    var first = seed &+ prime1 &+ prime2
    var second = seed &+ prime2
    var third = seed
    var fourth = seed &- prime1
    let end = bytes.count & ~31
    for offset in stride(from: 0, to: end, by: 32) {
      first = round(first, word(bytes, offset))
      second = round(second, word(bytes, offset + 8))
      third = round(third, word(bytes, offset + 16))
      fourth = round(fourth, word(bytes, offset + 24))
    }
    var hash = rotate(first, 1) &+ rotate(second, 7) &+ rotate(third, 12) &+ rotate(fourth, 18)
    for lane in [first, second, third, fourth] {
      hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
    return (hash, end)
  }

  private static func round(_ state: UInt64, _ word: UInt64) -> UInt64 {
    rotate(state &+ word &* prime2, 31) &* prime1
  }

  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
