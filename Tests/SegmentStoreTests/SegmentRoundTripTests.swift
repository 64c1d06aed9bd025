// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Stored samples are read back bit by bit.
@Suite struct SegmentRoundTripTests {
  private let folder: TemporaryFolder
  private let cache: SegmentCache
  private let key = SegmentSamples.key("a")

  init() throws {
    folder = try TemporaryFolder()
    cache = SegmentCache(path: folder.file("pinna/segments"))
  }

  @Test(
    "segments of 0 to 70,001 frames in 1, 2 or 6 channels come back to the bit",
    arguments: [0, 1, 7, 32767, 32768, 32769, 65536, 70001], [1, 2, 6])
  func everyLengthComesBack(frames: Int, channels: Int) throws {
    let content = SegmentSamples.buffer(channels: channels, frames: frames)
    #expect(SegmentSamples.store(content, key, in: cache, rate: 44100, head: Int64(frames / 2)))
    let reader = try #require(cache.open(key))
    #expect(reader.channels == channels && reader.frames == Int64(frames))
    #expect(reader.rate == 44100 && reader.head == Int64(frames / 2))
    #expect(SegmentSamples.outcome(reader) == .sound(SegmentSamples.bits(content)))
  }

  @Test("blocks of 1 to 40,000 frames are stored as one and the same file")
  func blockSizesDoNotMatter() throws {
    let content = SegmentSamples.buffer(channels: 2, frames: 40_000)
    var files: Set<Data> = []
    for block in [1, 7, 480, 32768, 33000, 40_000] {
      #expect(SegmentSamples.store(content, key, in: cache, block: block))
      files.insert(
        try Data(contentsOf: URL(fileURLWithPath: SegmentSamples.path(key, in: cache))))
    }
    #expect(files.count == 1)
  }

  @Test("a reader appends chunks of 32,768 frames to what its buffer holds")
  func chunksAreAppendedUpToTheirSize() throws {
    let content = SegmentSamples.buffer(channels: 2, frames: 70_000)
    SegmentSamples.store(content, key, in: cache)
    let reader = try #require(cache.open(key))
    let buffer = AudioBuffer(channels: 2)
    buffer.appendSilence(3)
    var sizes: [Int] = []
    while try reader.read(into: buffer) { sizes.append(buffer.frames) }
    #expect(sizes == [32771, 65539, 70_003])
    #expect(try reader.read(into: buffer) == false)
    buffer.removeFirst(3)
    #expect(SegmentSamples.bits(buffer) == SegmentSamples.bits(content))
  }

  @Test("a buffer of another channel count is refused by reader and writer")
  func aBufferOfAnotherShapeIsRefused() throws {
    SegmentSamples.store(SegmentSamples.buffer(channels: 2, frames: 10), key, in: cache)
    let reader = try #require(cache.open(key))
    let buffer = AudioBuffer(channels: 3)
    #expect(throws: SegmentDamage.self) { try reader.read(into: buffer) }
    #expect(buffer.frames == 0)
    #expect(SegmentSamples.outcome(reader) != .damaged)
    let writer = try #require(cache.writer(SegmentSamples.key("b"), channels: 2, rate: 48000))
    writer.append(buffer)
    #expect(!writer.isStoring && !writer.finish())
    #expect(cache.statistics.segments == 1)
  }

  @Test("twenty keys have segments of their own, and another key has none")
  func eachKeyHasItsOwnSegment() throws {
    let contents = (0..<20).map { SegmentSamples.buffer(channels: 1, frames: 9, seed: $0) }
    for (index, content) in contents.enumerated() {
      SegmentSamples.store(content, SegmentSamples.key("\(index)"), in: cache)
    }
    for (index, content) in contents.enumerated() {
      #expect(
        SegmentSamples.outcome(cache, SegmentSamples.key("\(index)"))
          == .sound(SegmentSamples.bits(content)))
    }
    #expect(cache.open(SegmentSamples.key("20")) == nil)
    // 112 bytes of header, 9 samples, a checksum.
    #expect(cache.statistics.segments == 20 && cache.statistics.bytes == 20 * (112 + 36 + 8))
  }

  @Test("channels, rates and heads out of range have no writer")
  func shapesOutOfRangeHaveNoWriter() {
    for (channels, rate, head) in [
      (0, 48000, 0), (-1, 48000, 0), (1025, 48000, 0), (2, 0, 0), (2, 768_001, 0), (2, 48000, -1),
      (2, 48000, Int64.max),
    ] as [(Int, Int, Int64)] {
      #expect(cache.writer(key, channels: channels, rate: rate, head: head) == nil)
    }
    // The head can't be longer than the segment.
    #expect(
      !SegmentSamples.store(
        SegmentSamples.buffer(channels: 1, frames: 4), key, in: cache, head: 5))
    #expect(cache.statistics.segments == 0)
  }

  @Test("segment files have mode 600 and their folders 700")
  func filesAreTheUsersOwn() throws {
    SegmentSamples.store(SegmentSamples.buffer(channels: 2, frames: 10), key, in: cache)
    let file = SegmentSamples.path(key, in: cache)
    let part = String(file.dropLast(65))
    for (path, mode) in [(file, 0o600), (part, 0o700), (cache.path, 0o700)] {
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      #expect(facts[.posixPermissions] as? Int == mode, "\(path)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: cache.path) == ["\(key.text.prefix(2))"])
  }
}
