// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The front of a segment's file, and the places of the samples behind it.
///
/// Fields in order, numbers little-endian: the signature (8 bytes), version, channels, rate and samples of a
/// chunk (UInt32 each), head and frames (UInt64 each), the key as 64 hexadecimal digits, an XXH64 of all that.
/// Chunks follow: planes of Float32, channel after channel, then a checksum of eight bytes. All chunks have
/// ``chunkFrames`` samples in a plane, but for the last one, which has the rest.
struct SegmentHeader: Equatable {
  let key: SegmentKey
  let channels: Int
  let rate: Int
  /// Samples before the item's first one; at most ``frames``.
  let head: Int64
  /// Samples in each plane.
  let frames: Int64

  /// Samples in each plane of a chunk, the last one excepted.
  static let chunkFrames = 32768
  /// Bytes of the header.
  static let size: Int64 = 112

  private static let signature = Array("PinnaSeg".utf8)
  /// More than any layout has; bounds the memory that reading takes to 128 MiB.
  private static let mostChannels = 1024
  /// The highest rate that decoders deliver, in hertz.
  private static let highestRate = 768_000
  /// Keeps all products of sizes far from overflow.
  private static let mostFrames: Int64 = 1 << 44

  /// A header for a file to write; `nil` when a value is out of range.
  init?(_ key: SegmentKey, channels: Int, rate: Int, head: Int64, frames: Int64) {
    guard (1...SegmentHeader.mostChannels).contains(channels),
      (1...SegmentHeader.highestRate).contains(rate),
      (0...SegmentHeader.mostFrames).contains(frames), (0...frames).contains(head)
    else { return nil }
    self.key = key
    self.channels = channels
    self.rate = rate
    self.head = head
    self.frames = frames
  }

  /// Reads the header of a file of `fileSize` bytes; `nil` unless it is whole, unchanged, has this key and the
  /// file has exactly the bytes that it states.
  init?(_ bytes: [UInt8], _ key: SegmentKey, fileSize: Int64) {
    let end = Int(SegmentHeader.size) - 8
    guard bytes.count == Int(SegmentHeader.size),
      Array(bytes[0..<8]) == SegmentHeader.signature,
      bytes.littleEndian(UInt64.self, at: end) == XXH64.of(Array(bytes[..<end])),
      bytes.littleEndian(UInt32.self, at: 8) == UInt32(SegmentKey.version),
      bytes.littleEndian(UInt32.self, at: 20) == UInt32(SegmentHeader.chunkFrames),
      Array(bytes[40..<end]) == Array(key.text.utf8),
      let head = Int64(exactly: bytes.littleEndian(UInt64.self, at: 24)),
      let frames = Int64(exactly: bytes.littleEndian(UInt64.self, at: 32))
    else { return nil }
    self.init(
      key, channels: Int(bytes.littleEndian(UInt32.self, at: 12)),
      rate: Int(bytes.littleEndian(UInt32.self, at: 16)), head: head, frames: frames)
    guard place(of: chunks) == fileSize else { return nil }
  }

  /// The header as it stands in the file.
  var bytes: [UInt8] {
    var bytes = SegmentHeader.signature
    for number in [Int(SegmentKey.version), channels, rate, SegmentHeader.chunkFrames] {
      bytes += UInt32(number).littleEndianBytes
    }
    bytes += UInt64(head).littleEndianBytes + UInt64(frames).littleEndianBytes
    bytes += Array(key.text.utf8)
    return bytes + XXH64.of(bytes).littleEndianBytes
  }

  /// Number of chunks.
  var chunks: Int64 {
    (frames + Int64(SegmentHeader.chunkFrames) - 1) / Int64(SegmentHeader.chunkFrames)
  }

  /// Samples in each plane of chunk `index`.
  func length(of index: Int64) -> Int {
    let first = index * Int64(SegmentHeader.chunkFrames)
    return Int(max(0, min(frames - first, Int64(SegmentHeader.chunkFrames))))
  }

  /// Offset of chunk `index` in the file; for ``chunks``, the size of the file.
  func place(of index: Int64) -> Int64 {
    let before = min(frames, index * Int64(SegmentHeader.chunkFrames))
    return SegmentHeader.size + before * Int64(4 * channels) + 8 * index
  }

  /// The checksum of the chunk `index` with these samples.
  ///
  /// The key and the place count in it, so that a chunk of another segment or from another place is seen.
  static func checksum(_ planes: [UnsafeRawBufferPointer], _ index: Int64, _ key: SegmentKey)
    -> UInt64
  {
    let seed = XXH64.of(Array(key.text.utf8), seed: UInt64(index))
    return planes.reduce(seed) { XXH64.of($1, seed: $0) }
  }
}

/// The checksum XXH64 of bytes, as in "xxHash fast digest algorithm" 0.1.1 by Yann Collet.
///
/// A checksum finds damage, and this one is as fast as samples can be copied. No checksum is proof against somebody who writes
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
