// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Rendering

/// No file makes the cache crash or hand out a wrong sample.
@Suite struct SegmentDamageTests {
  private let folder: TemporaryFolder
  private let cache: SegmentCache
  private let key = SegmentSamples.key("a")

  init() throws {
    folder = try TemporaryFolder()
    cache = SegmentCache(path: folder.path)
  }

  /// Stores a segment.
  /// - Returns: its file's bytes.
  private func stored(channels: Int = 2, frames: Int = 5, seed: UInt64 = 1) throws -> [UInt8] {
    let content = SegmentSamples.buffer(channels: channels, frames: frames, seed: seed)
    try #require(SegmentSamples.store(content, key, in: cache, head: Int64(frames / 2)))
    return Array(try Data(contentsOf: URL(fileURLWithPath: SegmentSamples.path(key, in: cache))))
  }

  /// Puts `bytes` in the place of the segment's file and reads it.
  private func outcome(_ bytes: [UInt8], _ key: SegmentKey? = nil) -> SegmentOutcome {
    let path = SegmentSamples.path(key ?? self.key, in: cache)
    mkdir(String(path.dropLast(65)), 0o700)
    // Some file systems write a file that was emptied to the disk at once, which takes long.
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    #expect(Descriptor.writeAll(bytes, to: descriptor) == 0)
    #expect(ftruncate(descriptor, off_t(bytes.count)) == 0)
    return SegmentSamples.outcome(cache, key ?? self.key)
  }

  @Test(
    "a segment with any changed byte is absent, or damaged if the byte is in a chunk", .tags(.slow),
    .fullRunOnly)
  func everyChangedByteIsSeen() throws {
    let whole = try stored()
    #expect(outcome(whole) != .absent && outcome(whole) != .damaged)
    var isMissed: [String] = []
    for index in whole.indices {
      for value in UInt8.min...UInt8.max where value != whole[index] {
        var changed = whole
        changed[index] = value
        let found = outcome(changed)
        // The header's damage is seen when it is opened, that of a chunk when it is read.
        let isSeen = found == (index < 112 ? .absent : .damaged)
        if !isSeen { isMissed.append("\(index): \(value)") }
      }
    }
    #expect(isMissed.isEmpty)
  }

  @Test("random changes and zeroed disk blocks in a long segment are noticed")
  func changesInLongSegmentsAreSeen() throws {
    let whole = try stored(channels: 3, frames: 33_000)
    var noise = SeededNoise(seed: 5)
    for _ in 0..<200 {
      var changed = whole
      let index = Int.random(in: changed.indices, using: &noise)
      changed[index] ^= UInt8.random(in: 1...255, using: &noise)
      #expect(outcome(changed) == (index < 112 ? .absent : .damaged), "byte \(index)")
    }
    // Blocks that a disk lost read as zeros.
    for block in 0..<whole.count / 4096 {
      var changed = whole
      changed.replaceSubrange(
        block * 4096..<(block + 1) * 4096, with: repeatElement(0, count: 4096))
      #expect(outcome(changed) == (block == 0 ? .absent : .damaged), "block \(block)")
    }
  }

  @Test("a segment file that is cut or has more bytes is absent")
  func everyOtherLengthIsAbsent() throws {
    let whole = try stored()
    for size in whole.indices { #expect(outcome(Array(whole[..<size])) == .absent) }
    for more in [1, 4, 8, 100_000] {
      #expect(outcome(whole + [UInt8](repeating: 0, count: more)) == .absent)
    }
    #expect(outcome(whole + whole) == .absent)
    let long = try stored(channels: 1, frames: 70_000)
    var noise = SeededNoise(seed: 3)
    for _ in 0..<100 {
      #expect(outcome(Array(long[..<Int.random(in: long.indices, using: &noise)])) == .absent)
    }
  }

  /// A file that a killed writer leaves is never taken for a segment, wherever it lies.
  @Test("a segment whose header isn't whole, as a killed writer leaves it, is absent")
  func aPrefixOfWhatIsWrittenIsAbsent() throws {
    let whole = try stored(channels: 2, frames: 40_000)
    // The header is written last; until then, there are zeros.
    let written = [UInt8](repeating: 0, count: 112) + whole[112...]
    var noise = SeededNoise(seed: 4)
    let sizes = (0..<100).map { _ in Int.random(in: written.indices, using: &noise) }
    for size in sizes + [0, 112, written.count] {
      #expect(outcome(Array(written[..<size])) == .absent, "\(size)")
    }
    for header in 1..<112 {
      #expect(outcome(Array(whole[..<header]) + written[header...]) == .absent, "\(header)")
    }
  }

  /// The header of a file with right checksums, whose fields can be anything.
  private func header(
    version: UInt32 = 2, channels: UInt32 = 2, rate: UInt32 = 48000, chunk: UInt32 = 32768,
    head: UInt64 = 0, frames: UInt64 = 5, key: SegmentKey? = nil
  ) -> [UInt8] {
    var bytes = Array("PinnaSeg".utf8)
    for number in [version, channels, rate, chunk] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for number in [head, frames] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += Array((key ?? self.key).text.utf8)
    withUnsafeBytes(of: XXH64.of(bytes).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  @Test("impossible numbers in a header with a right checksum make a segment absent")
  func statedNumbersAreNotTrusted() throws {
    let chunks = Array(try stored()[112...])
    #expect(outcome(header() + chunks) != .absent && outcome(header() + chunks) != .damaged)
    let large: [UInt64] = [
      4, 6, 32768, 32773, 1 << 31, 1 << 32, 1 << 44, 1 << 44 + 1, 1 << 61, 1 << 62, 1 << 63,
      .max - 4, .max, .max / 8,
    ]
    var hostile = large.map { header(frames: $0) }
    hostile += large.map { header(head: $0 + (($0 < 6) ? 5 : 0)) }
    hostile += large.map { header(head: $0, frames: $0) }
    hostile += [0, 1, 3, 1024, 1025, 1 << 30, .max].map { header(channels: $0) }
    hostile += [0, 768_001, .max].map { header(rate: $0) }
    hostile += [0, 1, 3, .max].map { header(version: $0) }
    hostile += [0, 1, 32767, .max].map { header(chunk: $0) }
    hostile += [header(key: SegmentSamples.key("b"))]
    // Ten channels of one sample, and one of ten, take as many bytes as two of five.
    for (channels, frames) in [(10, 1), (1, 10)] as [(UInt32, UInt64)] {
      #expect(outcome(header(channels: channels, frames: frames) + chunks) == .damaged)
    }
    for header in hostile {
      #expect(outcome(header + chunks) == .absent)
      #expect(outcome(header) == .absent)
    }
  }

  /// A file may state what it really has, as holes: nothing is reserved before it was read.
  @Test("a file of holes for 2^32 frames is damaged, and absent beyond the cache's limit")
  func hugeFilesOfHolesAreDamaged() throws {
    let frames: UInt64 = 1 << 32
    _ = outcome(header(channels: 1, frames: frames))
    let size = off_t(112 + 4 * frames + 8 * (frames / 32768))
    #expect(truncate(SegmentSamples.path(key, in: cache), size) == 0)
    let wide = SegmentCache(path: cache.path, limit: .max)
    let reader = try #require(wide.open(key))
    #expect(reader.frames == Int64(frames))
    #expect(SegmentSamples.outcome(reader) == .damaged)
    // Beyond its limit, a cache has nothing.
    #expect(cache.open(key) == nil)
    #expect(truncate(SegmentSamples.path(key, in: cache), off_t.max) != 0 || wide.open(key) == nil)
    #expect(wide.statistics.segments == 1)
    wide.trim()
  }

  @Test("chunks that are exchanged, doubled or of another segment are damaged")
  func chunksOutOfPlaceAreDamaged() throws {
    let whole = try stored(channels: 1, frames: 65536)
    let size = 4 * 32768 + 8
    let header = Array(whole[..<112])
    let first = Array(whole[112..<112 + size])
    let second = Array(whole[(112 + size)...])
    #expect(outcome(header + second + first) == .damaged)
    #expect(outcome(header + first + first) == .damaged)
    // Chunks of another segment too, although header and length fit.
    let other = SegmentSamples.key("b")
    SegmentSamples.store(
      SegmentSamples.buffer(channels: 1, frames: 65536), other, in: cache, head: 32768)
    let foreign = Array(
      try Data(contentsOf: URL(fileURLWithPath: SegmentSamples.path(other, in: cache))))
    #expect(outcome(header + Array(foreign[112...])) == .damaged)
    #expect(outcome(foreign) == .absent)
    #expect(outcome(whole) == outcome(header + first + second))
  }

  @Test("random bytes in a segment's place are never read as samples")
  func randomBytesAreAbsent() throws {
    var noise = SeededNoise(seed: 9)
    let whole = try stored()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...400, using: &noise)
      var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      // Half of them have a right beginning.
      let start = Bool.random(using: &noise) ? Int.random(in: 0...112, using: &noise) : 0
      bytes.replaceSubrange(0..<min(start, bytes.count), with: whole[..<min(start, bytes.count)])
      let found = outcome(bytes)
      #expect(found == .absent || start == 112)
      if start == 112, case .sound = found { Issue.record("random samples were taken") }
    }
  }

  @Test(
    "a file cut under its reader is damaged, and one that is replaced or removed is read to its end"
  )
  func aFileThatChangesUnderAReaderIsDamaged() throws {
    let whole = try stored(channels: 1, frames: 70_000)
    let reader = try #require(cache.open(key))
    let buffer = AudioBuffer(channels: 1)
    #expect(try reader.read(into: buffer))
    let path = SegmentSamples.path(key, in: cache)
    #expect(truncate(path, 200_000) == 0)
    for _ in 0..<2 {
      #expect(throws: SegmentDamage.self) { try reader.read(into: buffer) }
      #expect(buffer.frames == 32768)
    }
    #expect(outcome(whole) != .damaged)
    // A reader keeps the file that it opened when another takes its place, or it is removed.
    let kept = try #require(cache.open(key))
    let fresh = SegmentSamples.buffer(channels: 1, frames: 7, seed: 2)
    SegmentSamples.store(fresh, key, in: cache)
    #expect(SegmentSamples.outcome(cache, key) == .sound(SegmentSamples.bits(fresh)))
    unlink(path)
    #expect(
      SegmentSamples.outcome(kept)
        == .sound(SegmentSamples.bits(SegmentSamples.buffer(channels: 1, frames: 70_000))))
  }

  @Test("the error of a damaged chunk has its number and the file's path")
  func aDamageSaysWhereItIs() throws {
    var bytes = try stored(channels: 1, frames: 40_000)
    bytes[bytes.count - 1] ^= 1
    _ = outcome(bytes)
    let reader = try #require(cache.open(key))
    let buffer = AudioBuffer(channels: 1)
    #expect(try reader.read(into: buffer))
    let damage = try #require(throws: SegmentDamage.self) { try reader.read(into: buffer) }
    #expect(damage.chunk == 1 && damage.path == SegmentSamples.path(key, in: cache))
    #expect(damage.description.contains("chunk 1"))
  }
}
