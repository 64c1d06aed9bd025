// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

@testable import Rendering

/// Whatever state a cache is in, the output has the bytes of a render without one.
@Suite(.tags(.system)) struct QueueCacheStateTests {
  /// Changes to a full cache, or how small it has to be.
  enum State: String, CaseIterable, CustomTestStringConvertible {
    case empty, full, half, none, tiny, flipped, truncated, noise, folders, links, unreadable
    var testDescription: String { rawValue }
  }

  private static func queue(_ test: QueueCase, _ loudness: PlayQueue.LoudnessScope) throws
    -> PlayQueue
  {
    let files = [
      try test.write("a.wav", QueueCase.noise(2, 40_000), rate: 44_100),
      try test.write("b.wav", QueueCase.noise(1, 70_000, seed: 2)),
      try test.write("c.wav", QueueCase.noise(2, 45_000, seed: 3), rate: 44_100),
      try test.write("d.wav", QueueCase.noise(2, 50_000, seed: 4)),
    ]
    var queue = PlayQueue(files.map { QueueCase.item($0) })
    queue.loudness = loudness
    return queue
  }

  private static func job(_ test: QueueCase, _ queue: PlayQueue, cache: String?) -> RenderJob {
    var job = test.job(.queue(queue))
    job.outputs[0].endpoint = .headphones
    job.loudness = .standard
    (job.encoding, job.overwrite) = (.pcm24, true)
    job.policy.segments = cache.map { SegmentPolicy(folder: $0) }
    return job
  }

  private static func bytes(_ test: QueueCase, _ job: RenderJob) async throws -> Data {
    _ = try await RenderPipeline().render(job)
    return try Data(contentsOf: test.folder.url("out.wav"))
  }

  /// The files of rendered items in a cache.
  private static func segments(_ cache: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: cache)
      .map { URL(fileURLWithPath: cache + "/" + $0) }
      .filter { $0.deletingLastPathComponent().lastPathComponent.utf8.count == 2 }
      .sorted { $0.path < $1.path }
  }

  private static func spoil(_ file: URL, _ state: State, _ noise: inout SeededNoise) throws {
    var bytes = try Data(contentsOf: file)
    let size = bytes.count
    switch state {
    case .empty, .full, .half, .none, .tiny: return
    case .flipped: bytes[Int.random(in: 0..<size, using: &noise)] ^= 0x20
    case .truncated: bytes = bytes.prefix(Int.random(in: 0..<size, using: &noise))
    case .noise: bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &noise) })
    case .folders, .links:
      try FileManager.default.removeItem(at: file)
      if state == .folders {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      } else {
        try FileManager.default.createSymbolicLink(
          atPath: file.path, withDestinationPath: "/etc/passwd")
      }
      return
    case .unreadable:
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
      return
    }
    try bytes.write(to: file)
  }

  /// With a loudness of their own, items are held back until all of their samples are there.
  @Test(
    "a queue has the same output with an empty, a full and no cache", arguments: State.allCases,
    [PlayQueue.LoudnessScope.programme, .item])
  func outputIsTheSame(state: State, loudness: PlayQueue.LoudnessScope) async throws {
    let test = try QueueCase()
    let queue = try QueueCacheStateTests.queue(test, loudness)
    let plain = try await QueueCacheStateTests.bytes(
      test, QueueCacheStateTests.job(test, queue, cache: nil))
    let cache = test.folder.file("cache")
    var job = QueueCacheStateTests.job(test, queue, cache: cache)
    if state == .none { job.policy.segments?.limit = 0 }
    // One item of the four fits.
    if state == .tiny { job.policy.segments?.limit = 600_000 }
    let cold = try await QueueCacheStateTests.bytes(test, job)
    #expect(cold == plain)
    let files = try QueueCacheStateTests.segments(cache)
    let expected = state == .none ? 0 : state == .tiny ? 1 : 4
    #expect(files.count == expected)
    var noise = SeededNoise(seed: 21)
    for (number, file) in files.enumerated() {
      if state == .empty || state == .half && number % 2 == 0 {
        try FileManager.default.removeItem(at: file)
      } else {
        try QueueCacheStateTests.spoil(file, state, &noise)
      }
    }
    for _ in 0..<2 {
      let again = try await QueueCacheStateTests.bytes(test, job)
      #expect(again == plain)
    }
  }

  /// A sample that differs under a valid checksum is believed, unless the cache is verified.
  @Test func verificationFindsWrongSamples() async throws {
    let test = try QueueCase()
    let queue = try QueueCacheStateTests.queue(test, .programme)
    let cache = test.folder.file("cache")
    var job = QueueCacheStateTests.job(test, queue, cache: cache)
    let plain = try await QueueCacheStateTests.bytes(test, job)
    let file = try #require(try QueueCacheStateTests.segments(cache).first)
    let key = SegmentKey(text: file.lastPathComponent)
    let store = SegmentCache(path: cache)
    let reader = try #require(store.open(key))
    let samples = AudioBuffer(channels: reader.channels)
    while try reader.read(into: samples) {}
    samples.channel(1)[samples.frames / 2] += 0x1p-10
    let writer = try #require(
      store.writer(key, channels: reader.channels, rate: reader.rate, head: reader.head))
    writer.append(samples)
    #expect(writer.finish())

    let wrong = try await QueueCacheStateTests.bytes(test, job)
    #expect(wrong != plain)
    job.policy.segments?.isVerified = true
    job.outputs[0].location = .file(test.folder.file("refused.wav"))
    do {
      _ = try await RenderPipeline().render(job)
      Issue.record("the wrong sample was believed")
    } catch let failure as RenderFailure {
      #expect(failure.error.kind == .verificationFailed)
    }
    #expect(!test.folder.contents.contains { $0.contains("refused") })
  }
}
