// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Rendering

/// The folder keeps within its limit, and what was used last stays longest.
@Suite struct SegmentTrimTests {
  private let folder: TemporaryFolder
  private let content = SegmentSamples.buffer(channels: 1, frames: 20)
  private let keys = (0..<6).map { SegmentSamples.key("\($0)") }
  /// Bytes of one segment's file.
  private let size: Int64 = 112 + 80 + 8

  init() throws { folder = try TemporaryFolder() }

  private func cache(_ limit: Int64 = SegmentCache.defaultLimit) -> SegmentCache {
    SegmentCache(path: folder.path, limit: limit)
  }

  /// Stores all keys; the first one was used longest ago.
  private func fill() throws {
    for (index, key) in keys.enumerated() {
      try #require(SegmentSamples.store(content, key, in: cache()))
      try age(SegmentSamples.path(key, in: cache()), by: 1000 - Double(index))
    }
  }

  private func age(_ path: String, by seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
  }

  /// Keys that have a file; looking doesn't count as use.
  private var present: [Int] {
    keys.indices.filter {
      FileManager.default.fileExists(atPath: SegmentSamples.path(keys[$0], in: cache()))
    }
  }

  @Test("trimming removes the segments unused for longest first")
  func theOnesUnusedForLongestGoFirst() throws {
    try fill()
    _ = cache().open(keys[0])
    #expect(cache(6 * size).trim().segments == 0)
    let removed = cache(6 * size - 1).trim()
    #expect(removed.segments == 1 && removed.bytes == size && present == [0, 2, 3, 4, 5])
    cache(3 * size + 5).trim()
    #expect(present == [0, 4, 5])
    cache(size - 1).trim()
    #expect(present.isEmpty)
  }

  @Test("trimming removes segments of the running programme last") func theProgrammesOwnGoLast()
    throws
  {
    try fill()
    let own = Set([keys[0], keys[2]])
    cache(4 * size).trim(keeping: own)
    #expect(present == [0, 2, 4, 5])
    cache(2 * size).trim(keeping: own)
    #expect(present == [0, 2])
    cache(size).trim(keeping: own)
    #expect(present == [2])
    cache(0).trim(keeping: own)
    #expect(present.isEmpty)
  }

  @Test("trimming follows any order of use", arguments: 0..<20) func anyOrderOfUseIsKept(
    seed: UInt64
  ) throws {
    var noise = SeededNoise(seed: seed)
    try fill()
    let order = keys.indices.shuffled(using: &noise)
    for (age, index) in order.enumerated() {
      try self.age(SegmentSamples.path(keys[index], in: cache()), by: Double(10 * age))
    }
    let own = Set(keys.indices.filter { _ in Bool.random(using: &noise) })
    let count = Int.random(in: 0...6, using: &noise)
    cache(size * Int64(count)).trim(keeping: Set(own.map { keys[$0] }))
    let wanted = order.filter(own.contains) + order.filter { !own.contains($0) }
    #expect(present == wanted.prefix(count).sorted())
  }

  @Test("a cache with a limit of 0 opens, writes and keeps nothing")
  func aLimitOfNothingKeepsNothing() throws {
    try fill()
    #expect(cache(0).open(keys[0]) == nil && cache(-5).open(keys[0]) == nil)
    #expect(cache(0).writer(keys[0], channels: 1, rate: 48000) == nil)
    #expect(cache(0).trim().segments == 6 && cache().statistics.bytes == 0)
  }

  @Test("trimming to 0 leaves files alone that aren't segments")
  func otherFilesAreLeftAlone() throws {
    try fill()
    let part = String(keys[0].text.prefix(2))
    let own = [
      "notes.txt", ".hidden", "\(part)/notes.txt", "\(part)/\(keys[0].text).old",
      keys[0].text, "\(part)/\(String(repeating: "f", count: 62) + "zz")",
    ]
    for name in own {
      try Data("x".utf8).write(to: folder.url(name))
      try age(folder.file(name), by: 1e6)
    }
    #expect(cache().statistics.segments == 6)
    cache(0).trim()
    #expect(present.isEmpty)
    for name in own {
      #expect(FileManager.default.fileExists(atPath: folder.file(name)), "\(name)")
    }
  }

  @Test("an unfinished file stays while its writer lives, for a day at most")
  func unfinishedFilesStayWhileTheirWriterLives() throws {
    let writer = try #require(cache().writer(keys[0], channels: 1, rate: 48000))
    let left = folder.url(".unfinished-abcdefghijkl")
    try Data("x".utf8).write(to: left)
    cache().trim()
    // Nobody holds the lock of the file that was left.
    #expect(folder.contents.count == 1 && !FileManager.default.fileExists(atPath: left.path))
    writer.append(content)
    #expect(writer.finish() && present == [0])
    // One that was locked, but not written to for more than a day, goes as well.
    let stuck = try #require(cache().writer(keys[1], channels: 1, rate: 48000))
    let name = try #require(folder.contents.first { $0.hasPrefix(".") })
    try age(folder.file(name), by: 86300)
    cache().trim()
    #expect(folder.contents.contains(name))
    try age(folder.file(name), by: 86500)
    cache().trim()
    #expect(!folder.contents.contains(name))
    stuck.append(content)
    #expect(!stuck.finish() && present == [0])
  }

  @Test("the bytes of an unfinished segment count for the limit")
  func unfinishedFilesCountForTheLimit() throws {
    try fill()
    let writer = try #require(cache().writer(SegmentSamples.key("x"), channels: 1, rate: 48000))
    writer.append(SegmentSamples.buffer(channels: 1, frames: 32768))
    #expect(writer.isStoring)
    cache(112 + 4 * 32768 + 8 + 2 * size).trim()
    #expect(present == [4, 5])
    cache(10).trim()
    #expect(present.isEmpty)
    #expect(writer.finish() && cache().statistics.segments == 1)
  }

  @Test("a writer that is dropped leaves no file")
  func aDroppedWriterLeavesNothing() throws {
    do {
      let writer = try #require(cache().writer(keys[0], channels: 1, rate: 48000))
      for _ in 0..<3 { writer.append(SegmentSamples.buffer(channels: 1, frames: 32768)) }
      #expect(folder.contents.count == 1)
    }
    #expect(folder.contents.isEmpty && cache().open(keys[0]) == nil)
  }

  @Test("segments with absurd times and sizes are trimmed to the limit")
  func oddTimesAndSizesDoNoHarm() throws {
    try fill()
    for (index, seconds) in [Int.min / 2, Int.max / 2, -1, 0].enumerated() {
      let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      utimensat(AT_FDCWD, SegmentSamples.path(keys[index], in: cache()), times, 0)
      truncate(SegmentSamples.path(keys[index], in: cache()), off_t.max >> 20)
    }
    let odd = folder.file(".unfinished-odd")
    try Data().write(to: URL(fileURLWithPath: odd))
    utimensat(AT_FDCWD, odd, [timespec(tv_sec: .min / 2, tv_nsec: 0), timespec()], 0)
    cache().trim(keeping: Set(keys))
    #expect(cache().statistics.bytes <= SegmentCache.defaultLimit)
  }

  /// Readers, writers and trimmers of one folder never meet anything but whole segments.
  @Test("60 tasks that read, write and trim one cache find whole segments only")
  func manyAtOnceNeverMeetHalfASegment() async throws {
    let contents = (0..<3).map { SegmentSamples.buffer(channels: 2, frames: 40_000, seed: $0) }
    let whole = contents.map { SegmentSamples.bits($0) }
    let (cache, keys) = (cache(2 << 20), keys)
    let failures = await withTaskGroup(of: Int.self) { group in
      for index in 0..<60 {
        group.addTask {
          var count = 0
          let key = index % 3
          let content = SegmentSamples.buffer(channels: 2, frames: 40_000, seed: UInt64(key))
          if index % 4 == 0, !SegmentSamples.store(content, keys[key], in: cache) { count += 1 }
          if index % 10 == 9 { SegmentCache(path: cache.path, limit: 400_000).trim() }
          let found = SegmentSamples.outcome(cache, keys[key])
          if found != .absent, found != .sound(whole[key]) { count += 1 }
          return count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
    #expect(!folder.contents.contains { $0.hasPrefix(".") })
  }

  @Test("two writers of one key both succeed, and the segment of the later one stays")
  func twoWritersOfOneKeyBothSucceed() throws {
    let one = try #require(cache().writer(keys[0], channels: 1, rate: 48000))
    let other = try #require(cache().writer(keys[0], channels: 1, rate: 48000))
    one.append(content)
    other.append(content)
    cache().trim()
    #expect(one.finish())
    #expect(SegmentSamples.outcome(cache(), keys[0]) == .sound(SegmentSamples.bits(content)))
    other.append(content)
    #expect(other.finish())
    #expect(cache().open(keys[0])?.frames == 40 && cache().statistics.segments == 1)
  }
}
