// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The cache gives back a set bit by bit, and never anything but a whole and valid set.
@Suite struct HRTFCacheTests {
  private let folder: TemporaryFolder
  private let digest = String(repeating: "0123456789abcdef", count: 4)

  init() throws { folder = try TemporaryFolder() }

  private var cache: HRTFCache { HRTFCache(folder: folder.file("a/b")) }

  private func content(_ count: Int = 4) -> CachedMeasurements {
    CachedMeasurements(
      measurements: HRTFMeasurements(
        sampleRate: 48000, taps: 3,
        directions: (0..<count).map { Direction(azimuth: Double($0) / 3, elevation: -1.5) },
        responses: (0..<6 * count).map { Float($0) / 7 },
        delays: (0..<2 * count).map { Double($0) / 11 }, delayUnit: .seconds), citation: "Ærø")
  }

  private func isSame(_ one: HRTFMeasurements, _ other: HRTFMeasurements) -> Bool {
    one.sampleRate == other.sampleRate && one.taps == other.taps
      && one.directions == other.directions && one.delayUnit == other.delayUnit
      && one.responses.map(\.bitPattern) == other.responses.map(\.bitPattern)
      && one.delays.map(\.bitPattern) == other.delays.map(\.bitPattern)
  }

  @Test("a set put into the cache is found") func whatIsKeptIsFound() throws {
    #expect(cache.find(sha256: digest) == nil)
    cache.keep(content(), sha256: digest)
    let found = try #require(cache.find(sha256: digest))
    #expect(isSame(found.measurements, content().measurements) && found.citation == "Ærø")
    #expect(cache.find(sha256: String(digest.reversed())) == nil)
    for odd in ["", "../" + digest.dropFirst(3), digest + "0", digest.uppercased()] {
      cache.keep(content(), sha256: odd)
      #expect(cache.find(sha256: odd) == nil)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder)
    #expect(names == [digest + ".measurements"])
  }

  @Test("a damaged file of the cache isn't used") func everyDamageIsSeen() throws {
    let whole = content().bytes(digest)
    #expect(CachedMeasurements(bytes: whole, digest) != nil)
    for size in 0..<whole.count {
      #expect(CachedMeasurements(bytes: Array(whole[0..<size]), digest) == nil)
    }
    #expect(CachedMeasurements(bytes: whole + [0], digest) == nil)
    for index in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[index] ^= 1 << UInt8(bit)
        #expect(CachedMeasurements(bytes: damaged, digest) == nil, "bit \(bit) of \(index)")
      }
    }
    #expect(CachedMeasurements(bytes: whole, String(repeating: "0", count: 64)) == nil)
  }

  @Test("a cache whose folder or file can't be used finds nothing and throws nothing")
  func aFolderThatCannotBeUsedIsNoFailure() throws {
    try Data().write(to: folder.url("file"))
    for path in [folder.file("file"), folder.file("file/inside"), "/proc/pinna/cache"] {
      let cache = HRTFCache(folder: path)
      cache.keep(content(), sha256: digest)
      #expect(cache.find(sha256: digest) == nil)
    }
    // A folder in the file's place, and a FIFO, which would hang if it were opened to read.
    for make in [{ mkdir($0, 0o700) }, { mkfifo($0, 0o600) }] {
      let cache = HRTFCache(folder: try TemporaryFolder().path + "-kept")
      cache.keep(content(), sha256: digest)
      let place = cache.folder + "/" + digest + ".measurements"
      unlink(place)
      #expect(make(place) == 0)
      #expect(cache.find(sha256: digest) == nil)
      cache.keep(content(), sha256: digest)
      try FileManager.default.removeItem(atPath: cache.folder)
    }
  }

  @Test("the cache drops the sets unused for longest first") func theOnesUnusedForLongestGoFirst()
    throws
  {
    let size = Int64(content().bytes(digest).count)
    let cache = HRTFCache(folder: folder.file("small"), limit: 3 * size + 1)
    let digests = "abcd".map { String(repeating: $0, count: 64) }
    for (index, digest) in digests.prefix(3).enumerated() {
      cache.keep(content(), sha256: digest)
      let path = cache.folder + "/" + digest + ".measurements"
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -1000 + Double(index))], ofItemAtPath: path)
    }
    let stray = cache.folder + "/.unfinished-old"
    let own = cache.folder + "/notes.txt"
    for path in [stray, own] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -9000)], ofItemAtPath: path)
    }
    #expect(cache.find(sha256: digests[0]) != nil)
    cache.keep(content(), sha256: digests[3])
    #expect(digests.map { cache.find(sha256: $0) != nil } == [true, false, true, true])
    #expect(!FileManager.default.fileExists(atPath: stray))
    #expect(FileManager.default.fileExists(atPath: own))
    // Content that doesn't fit alone isn't written.
    let large = String(repeating: "e", count: 64)
    cache.keep(content(100), sha256: large)
    #expect(cache.find(sha256: large) == nil && cache.find(sha256: digests[3]) != nil)
  }

  @Test("60 writers and readers of a cached set find the whole set or none, and one file is left")
  func manyWritersAndReadersNeverMeetHalfAFile() async throws {
    let cache = self.cache
    let content = self.content(2000)
    let digest = self.digest
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<60 {
        group.addTask {
          if index % 2 == 0 { cache.keep(content, sha256: digest) }
          let found = cache.find(sha256: digest)
          return found == nil || found?.measurements.responses == content.measurements.responses
        }
      }
      for await isSound in group { #expect(isSound) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).count == 1)
  }

  @Test(
    "a set from a cold, warm, damaged and repaired cache has the bits of the file's set",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func aCachedSetIsTheSameToTheBit() throws {
    let path = try #require(HeldOutTests.found)
    let plain = try HRTFSet.load(path: path)
    for run in ["cold", "warm", "damaged", "repaired"] {
      let set = try HRTFSet.load(LocalFile(path: path), sha256: digest, cache: cache)
      #expect(set.id == plain.id && set.citation == plain.citation)
      #expect(isSame(set.measurements, plain.measurements))
      #expect(set.equalisers[0].filter.re == plain.equalisers[0].filter.re)
      let banks = try [set, plain].map {
        try BedFilters($0, Render.format("7.1.4", rate: 44100), SceneOptions())
      }
      #expect(banks[0].left == banks[1].left && banks[0].right == banks[1].right)
      let kept = URL(fileURLWithPath: cache.folder + "/" + digest + ".measurements")
      if run == "warm" {
        var bytes = try Data(contentsOf: kept)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: kept)
        #expect(cache.find(sha256: digest) == nil)
      } else {
        #expect(cache.find(sha256: digest) != nil)
      }
    }
  }

  /// Loads from the cache are judged like loads from the file.
  @Test(
    "an implausible cached set is replaced by that of the file",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func implausibleContentIsNotUsed() throws {
    let path = try #require(HeldOutTests.found)
    cache.keep(content(), sha256: digest)
    let set = try HRTFSet.load(LocalFile(path: path), sha256: digest, cache: cache)
    #expect(set.tapCount == 256)
    #expect(cache.find(sha256: digest)?.measurements.taps == 256)
  }
}
