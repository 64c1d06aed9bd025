// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Rendering

/// A folder or disk that can't be used is no failure: nothing is cached.
@Suite struct SegmentFaultTests {
  private let folder: TemporaryFolder
  private let key = SegmentSamples.key("a")
  private let content = SegmentSamples.buffer(channels: 2, frames: 100)

  init() throws { folder = try TemporaryFolder() }

  @Test("a cache whose folder can't be made stores and opens nothing")
  func aFolderThatCannotBeMadeStoresNothing() throws {
    try Data("x".utf8).write(to: folder.url("file"))
    for path in [folder.file("file"), folder.file("file/inside"), "/proc/pinna/segments", ""] {
      let cache = SegmentCache(path: path)
      #expect(cache.writer(key, channels: 2, rate: 48000) == nil)
      #expect(cache.open(key) == nil)
      #expect(cache.trim() == cache.statistics)
      #expect(cache.statistics.segments == 0 && cache.statistics.bytes == 0)
    }
    #expect(try String(contentsOf: folder.url("file"), encoding: .utf8) == "x")
  }

  @Test("links, folders and FIFOs in a segment's place count as absent")
  func onlyRegularFilesInsideCount() throws {
    let cache = SegmentCache(path: folder.file("cache"))
    SegmentSamples.store(content, key, in: cache)
    let place = SegmentSamples.path(key, in: cache)
    let outside = folder.file("outside")
    #expect(rename(place, outside) == 0)
    let sound = try Data(contentsOf: URL(fileURLWithPath: outside))
    let makers: [(String) -> Int32] = [
      { symlink(outside, $0) }, { symlink($0, $0) }, { mkdir($0, 0o700) }, { mkfifo($0, 0o600) },
      { symlink("/dev/zero", $0) },
    ]
    for make in makers {
      #expect(make(place) == 0)
      // A FIFO would hang if it were opened to wait for a writer.
      #expect(cache.open(key) == nil)
      #expect(cache.statistics.segments == 0)
      cache.trim()
      var facts = stat()
      let isFolder = lstat(place, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      #expect(SegmentSamples.store(content, key, in: cache) == !isFolder)
      if isFolder { rmdir(place) } else { unlink(place) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == sound)
    #expect(try unfinished(cache).isEmpty)
  }

  @Test("a link in place of a cache's subfolder isn't followed, and one to the cache itself is")
  func linksToOtherFoldersAreNotFollowed() throws {
    let cache = SegmentCache(path: folder.file("cache"))
    SegmentSamples.store(content, key, in: cache)
    let part = String(SegmentSamples.path(key, in: cache).dropLast(65))
    let outside = folder.file("outside")
    #expect(rename(part, outside) == 0 && symlink(outside, part) == 0)
    #expect(cache.open(key) == nil)
    #expect(!SegmentSamples.store(content, key, in: cache))
    #expect(cache.statistics.segments == 0)
    SegmentCache(path: cache.path, limit: 0).trim()
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [key.text])
    #expect(try unfinished(cache).isEmpty)
    // The folder itself may be reached by a link: that is the user's own choice.
    #expect(unlink(part) == 0 && rename(outside, part) == 0)
    #expect(symlink(cache.path, folder.file("link")) == 0)
    #expect(
      SegmentSamples.outcome(SegmentCache(path: folder.file("link")), key)
        == .sound(SegmentSamples.bits(content)))
  }

  @Test("a cache folder that vanishes ends the storing, and one that is moved doesn't")
  func aFolderThatVanishesEndsTheStoring() throws {
    let cache = SegmentCache(path: folder.file("cache"))
    let writer = try #require(cache.writer(key, channels: 2, rate: 48000))
    writer.append(content)
    try FileManager.default.removeItem(atPath: cache.path)
    writer.append(content)
    #expect(!writer.finish() && !writer.finish())
    writer.append(content)
    #expect(!FileManager.default.fileExists(atPath: cache.path))
    #expect(SegmentSamples.store(content, key, in: cache))
    // A folder that was only moved keeps its writers.
    let moving = try #require(cache.writer(SegmentSamples.key("b"), channels: 2, rate: 48000))
    #expect(rename(cache.path, folder.file("moved")) == 0)
    moving.append(content)
    #expect(moving.finish())
    #expect(SegmentCache(path: folder.file("moved")).statistics.segments == 2)
  }

  @Test("a segment beyond the cache's limit is given up, and its space is free at once")
  func aSegmentBeyondTheLimitIsGivenUp() throws {
    // Room for the header and one chunk with its checksum.
    let cache = SegmentCache(path: folder.file("cache"), limit: 112 + 4 * 32768 + 8)
    let long = SegmentSamples.buffer(channels: 1, frames: 32769)
    #expect(!SegmentSamples.store(long, key, in: cache))
    long.truncate(to: 32768)
    #expect(SegmentSamples.store(long, key, in: cache))
    #expect(cache.trim().segments == 0 && cache.statistics.segments == 1)
    let writer = try #require(cache.writer(SegmentSamples.key("b"), channels: 1, rate: 48000))
    for _ in 0..<3 { writer.append(long) }
    #expect(!writer.isStoring)
    // Its space is free at once, while the render goes on.
    #expect(try unfinished(cache).isEmpty)
  }

  @Test(
    "a full disk ends the storing, and segments that were stored stay sound",
    .enabled(if: SmallDisk.isPossible, "this process can't mount a small disk"))
  func aFullDiskEndsTheStoring() throws {
    let disk = try SmallDisk(kibibytes: 512)
    let cache = SegmentCache(path: disk.path + "/cache")
    #expect(SegmentSamples.store(content, key, in: cache))
    let long = SegmentSamples.buffer(channels: 2, frames: 50_000)
    let writer = try #require(cache.writer(SegmentSamples.key("b"), channels: 2, rate: 48000))
    for _ in 0..<3 { writer.append(long) }
    #expect(!writer.isStoring && !writer.finish())
    #expect(try unfinished(cache).isEmpty && cache.open(SegmentSamples.key("b")) == nil)
    // The disk may also be full from the first byte on, or only at the end.
    try? Data(count: 1 << 20).write(to: URL(fileURLWithPath: disk.path + "/filler"))
    let filler = open(disk.path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    while Descriptor.writeAll([UInt8](repeating: 1, count: 4096), to: filler) == 0 {}
    close(filler)
    for frames in [1, 100, 32768, 40_000] {
      let part = SegmentSamples.buffer(channels: 2, frames: frames)
      #expect(!SegmentSamples.store(part, SegmentSamples.key("c"), in: cache))
    }
    #expect(SegmentSamples.outcome(cache, key) == .sound(SegmentSamples.bits(content)))
    #expect(cache.statistics.segments == 1)
  }

  @Test(
    "segments on a read-only disk are read, and none are written or trimmed",
    .enabled(if: SmallDisk.isPossible, "this process can't mount a small disk"))
  func aReadOnlyDiskIsReadButNotWritten() throws {
    let disk = try SmallDisk(kibibytes: 512)
    let cache = SegmentCache(path: disk.path)
    #expect(SegmentSamples.store(content, key, in: cache))
    try disk.makeReadOnly()
    #expect(SegmentSamples.outcome(cache, key) == .sound(SegmentSamples.bits(content)))
    #expect(cache.writer(SegmentSamples.key("b"), channels: 2, rate: 48000) == nil)
    #expect(SegmentCache(path: disk.path, limit: 0).trim().segments == 0)
    #expect(cache.statistics.segments == 1)
  }

  private func unfinished(_ cache: SegmentCache) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache.path).filter { $0.hasPrefix(".") }
  }
}
