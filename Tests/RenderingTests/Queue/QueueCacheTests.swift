// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// A cache changes the cost of a render, never its bytes.
@Suite(.tags(.system)) struct QueueCacheTests {
  /// A case with three sources of different rates, and a queue of them.
  private static func prepare() throws -> (test: QueueCase, queue: PlayQueue, files: [String]) {
    let test = try QueueCase()
    let files = [
      try test.write("a.wav", QueueCase.noise(2, 24_000), rate: 44_100),
      try test.write("b.wav", QueueCase.noise(1, 20_000, seed: 2)),
      try test.write("c.wav", QueueCase.noise(2, 15_000, seed: 3), rate: 44_100),
    ]
    return (test, PlayQueue(files.map { QueueCase.item($0) }), files)
  }

  private static func settings(_ job: inout RenderJob, _ cache: String?) {
    job.outputs[0].endpoint = .headphones
    job.loudness = .standard
    job.encoding = .pcm24
    job.overwrite = true
    job.policy.segments = cache.map { SegmentPolicy(folder: $0) }
  }

  /// The bytes of the output of `queue`, and the items that came from the cache.
  private static func bytes(
    _ test: QueueCase, _ queue: PlayQueue, cache: String?
  ) async throws -> (data: Data, reused: [Bool?]) {
    var job = test.job(.queue(queue))
    settings(&job, cache)
    let report = try await RenderPipeline().render(job)
    let data = try Data(contentsOf: test.folder.url("out.wav"))
    return (data, try #require(report.queue).items.map { $0.source?.reused })
  }

  @Test("the second render of a queue takes every item from the cache")
  func secondRenderReusesEverything() async throws {
    let (test, queue, _) = try QueueCacheTests.prepare()
    let cache = test.folder.file("cache")
    let plain = try await QueueCacheTests.bytes(test, queue, cache: nil)
    #expect(plain.reused == [nil, nil, nil])
    let cold = try await QueueCacheTests.bytes(test, queue, cache: cache)
    #expect(cold.reused == [false, false, false] && cold.data == plain.data)
    let warm = try await QueueCacheTests.bytes(test, queue, cache: cache)
    #expect(warm.reused == [true, true, true] && warm.data == plain.data)
  }

  @Test(
    "a queue that is edited twelve times with one cache has the bytes of a full render each time",
    .fullRunOnly)
  func aCacheServesOneEditAfterAnother() async throws {
    let (test, first, files) = try QueueCacheTests.prepare()
    let cache = test.folder.file("cache")
    var queue = first
    var noise = SeededNoise(seed: 77)
    var reused = 0
    for step in 0..<12 {
      let place = Int.random(in: 0..<queue.items.count, using: &noise)
      switch step % 6 {
      case 0: queue.items[place].gain = Double(Int.random(in: -12...0, using: &noise))
      case 1: queue.items.insert(QueueCase.item(files[step % 3], 100..<9000), at: queue.items.count)
      case 2: queue.items[place].fadeOut = Fade(.samples(1000))
      case 3: queue.items.append(QueueItem(.silence(.samples(Int64(step * 100)))))
      case 4: queue.items.swapAt(0, queue.items.count - 1)
      default: queue.items[place].fadeIn = Fade(.samples(500), curve: .equalGain)
      }
      let full = try await QueueCacheTests.bytes(test, queue, cache: nil)
      let incremental = try await QueueCacheTests.bytes(test, queue, cache: cache)
      #expect(incremental.data == full.data, "step \(step)")
      reused += incremental.reused.count { $0 == true }
    }
    #expect(reused > 12, "\(reused) items came from the cache")
  }

  @Test("an item whose cached segment is damaged is rendered anew")
  func damagedSegmentsAreRenderedAnew() async throws {
    let (test, queue, _) = try QueueCacheTests.prepare()
    let cache = test.folder.file("cache")
    let plain = try await QueueCacheTests.bytes(test, queue, cache: cache)
    var noise = SeededNoise(seed: 5)
    for path in try FileManager.default.subpathsOfDirectory(atPath: cache) {
      let url = URL(fileURLWithPath: cache + "/" + path)
      guard var bytes = try? Data(contentsOf: url), bytes.count > 100_000 else { continue }
      let place = Int.random(in: bytes.count / 2..<bytes.count, using: &noise)
      bytes[bytes.startIndex + place] ^= 0x10
      try bytes.write(to: url)
    }
    let again = try await QueueCacheTests.bytes(test, queue, cache: cache)
    #expect(again.data == plain.data)
    #expect(again.reused.contains(false))
  }

  @Test("an item whose file has changed is rendered anew") func changedSourceIsRenderedAnew()
    async throws
  {
    let (test, queue, _) = try QueueCacheTests.prepare()
    let cache = test.folder.file("cache")
    _ = try await QueueCacheTests.bytes(test, queue, cache: cache)
    try test.write("b.wav", QueueCase.noise(1, 20_000, seed: 99))
    let full = try await QueueCacheTests.bytes(test, queue, cache: nil)
    let edited = try await QueueCacheTests.bytes(test, queue, cache: cache)
    #expect(edited.reused == [true, false, true] && edited.data == full.data)
  }

  @Test("a sound cache passes verification") func verifiedCacheThatLiesIsFound() async throws {
    let (test, queue, _) = try QueueCacheTests.prepare()
    let cache = test.folder.file("cache")
    var job = test.job(.queue(queue))
    QueueCacheTests.settings(&job, cache)
    _ = try await RenderPipeline().render(job)
    job.policy.segments?.isVerified = true
    let report = try await RenderPipeline().render(job)
    #expect(report.status == .ok)
  }
}
