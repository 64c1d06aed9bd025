// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Report
import TestSupport
import Testing

@testable import Rendering

/// A run with a cache tells what it changes against the run before, and refuses what it is told to refuse.
@Suite(.tags(.system)) struct QueueHistoryTests {
  /// Three items of a second each.
  private static func prepare() throws -> (test: QueueCase, queue: PlayQueue) {
    let test = try QueueCase()
    let files = try (1...3).map {
      try test.write("\($0).wav", QueueCase.noise(2, 48_000, seed: UInt64($0)))
    }
    return (test, PlayQueue(files.map { QueueCase.item($0) }))
  }

  private static func job(
    _ test: QueueCase, _ queue: PlayQueue, unchangedBefore: TimeSpec? = nil
  ) -> RenderJob {
    var job = test.job(.queue(queue))
    job.overwrite = true
    job.policy.segments = SegmentPolicy(folder: test.folder.file("cache"))
    job.policy.segments?.unchangedBefore = unchangedBefore
    return job
  }

  private static func former(
    _ test: QueueCase, _ queue: PlayQueue
  ) async throws -> QueueReport.Former? {
    let report = try await RenderPipeline().render(job(test, queue))
    return try #require(report.queue).former
  }

  private static func failure(_ job: RenderJob) async throws -> MediaError? {
    do {
      _ = try await RenderPipeline().render(job)
      return nil
    } catch let failure as RenderFailure {
      return failure.error
    }
  }

  @Test("a queue's report lists the changes since the run before")
  func changesAreToldSinceTheRunBefore() async throws {
    let (test, first) = try QueueHistoryTests.prepare()
    #expect(try await QueueHistoryTests.former(test, first) == nil)
    let same = try #require(try await QueueHistoryTests.former(test, first))
    #expect(same.changes.isEmpty && same.firstChangedSample == nil && same.gainDB == 0)

    var queue = first
    queue.items[1].gain = -6
    let changed = try #require(try await QueueHistoryTests.former(test, queue))
    #expect(changed.firstChangedSample == 48_000)
    #expect(changed.changes.map(\.why) == ["item-changed"])

    queue.items.append(QueueItem(.silence(.samples(100))))
    let longer = try #require(try await QueueHistoryTests.former(test, queue))
    #expect(longer.changes == [.init(from: 144_000, to: 144_100, why: "item-new")])
  }

  @Test("other bytes under the same name are a change of the item")
  func otherBytesOfAFileAreAChange() async throws {
    let (test, queue) = try QueueHistoryTests.prepare()
    _ = try await QueueHistoryTests.former(test, queue)
    try test.write("3.wav", QueueCase.noise(2, 48_000, seed: 9))
    let former = try #require(try await QueueHistoryTests.former(test, queue))
    #expect(former.changes == [.init(from: 96_000, to: 144_000, why: "source-changed")])
  }

  @Test func settingsChangeTheWholeProgramme() async throws {
    let (test, queue) = try QueueHistoryTests.prepare()
    _ = try await QueueHistoryTests.former(test, queue)
    var job = QueueHistoryTests.job(test, queue)
    job.outputs[0].endpoint = .headphones
    let report = try await RenderPipeline().render(job)
    let former = try #require(report.queue?.former)
    #expect(former.changes == [.init(from: 0, to: 144_000, why: "setting")])
  }

  /// The level acts on the sum, so another target changes nothing before the gain.
  @Test func anotherTargetChangesNoSampleBeforeTheGain() async throws {
    let (test, queue) = try QueueHistoryTests.prepare()
    var job = QueueHistoryTests.job(test, queue)
    job.loudness = .standard
    _ = try await RenderPipeline().render(job)
    job.loudness?.integrated = -20
    let former = try #require(try await RenderPipeline().render(job).queue?.former)
    #expect(former.changes.isEmpty)
  }

  /// The samples that the report calls unchanged are those of the output before.
  @Test("samples reported as unchanged are those of the output before")
  func whatIsCalledUnchangedIsUnchanged() async throws {
    let (test, first) = try QueueHistoryTests.prepare()
    func planes(_ queue: PlayQueue) async throws -> ([[Float]], QueueReport.Former?) {
      var job = QueueHistoryTests.job(test, queue)
      job.outputs[0].endpoint = .headphones
      let report = try await RenderPipeline().render(job)
      return (try Decoded(test.folder.file("out.wav")).planes, report.queue?.former)
    }
    let (before, _) = try await planes(first)
    var queue = first
    queue.items[1].fadeOut = Fade(.samples(4800))
    let (after, told) = try await planes(queue)
    let changes = try #require(told).changes
    #expect(!changes.isEmpty)
    for channel in 0..<2 {
      let differing = before[channel].indices.filter { before[channel][$0] != after[channel][$0] }
      #expect(!differing.isEmpty)
      let untold = differing.first { place in
        !changes.contains { $0.from <= place && Int64(place) < $0.to }
      }
      #expect(untold == nil)
    }
  }

  @Test("a change before --only-after TIME is refused") func aChangeThatReachesBackIsRefused()
    async throws
  {
    let (test, first) = try QueueHistoryTests.prepare()
    let unknown = try await QueueHistoryTests.failure(
      QueueHistoryTests.job(test, first, unchangedBefore: .samples(1)))
    #expect(unknown?.kind == .verificationFailed)
    _ = try await QueueHistoryTests.former(test, first)
    let before = try Data(contentsOf: test.folder.url("out.wav"))

    var queue = first
    queue.items[2].gain = -6
    let early = try await QueueHistoryTests.failure(
      QueueHistoryTests.job(test, queue, unchangedBefore: .samples(96_001)))
    #expect(early?.kind == .verificationFailed)
    #expect(early?.message.contains("sample 96000") == true, "\(early?.message ?? "")")
    #expect(try Data(contentsOf: test.folder.url("out.wav")) == before)

    let late = try await QueueHistoryTests.failure(
      QueueHistoryTests.job(test, queue, unchangedBefore: .samples(96_000)))
    #expect(late == nil)
  }

  /// A gain that was solved and is pinned afterwards is the same gain.
  @Test func aPinnedGainIsComparedByItsValue() async throws {
    let (test, first) = try QueueHistoryTests.prepare()
    var job = QueueHistoryTests.job(test, first)
    job.loudness = .standard
    let gain = try await RenderPipeline().render(job).outputs[0].gainDB
    var queue = first
    queue.pinnedGain = gain
    job.input = .queue(queue)
    job.policy.segments?.unchangedBefore = .samples(144_000)
    let former = try #require(try await RenderPipeline().render(job).queue?.former)
    #expect(former.changes.isEmpty && former.gainDB == gain)
  }

  @Test("a record of an earlier run with parts of another one is ignored")
  func aRecordWhosePartsDontBelongTogetherIsNone() throws {
    // A seed of the fuzzer; its first byte chooses what it is.
    let place = URL(fileURLWithPath: TestPython.root + "/Tests/Fuzz/Seeds/Records/two.bin")
    let text = String(decoding: try Data(contentsOf: place).dropFirst(), as: UTF8.self)
    func read(_ old: String, _ new: String) -> QueueRecord? {
      QueueRecord.read(Array(text.replacing(old, with: new).utf8))
    }
    #expect(read("", "")?.placed.queue.items.count == 2)
    #expect(read(#""digests":["0a",""]"#, #""digests":["0a"]"#) == nil)
    #expect(read(#""start":48000"#, #""start":-9223372036854775808"#) == nil)
    #expect(read(#""frames":480,"#, #""frames":9223372036854775807,"#) == nil)
    #expect(read(#""placement":{"rate":48000"#, #""placement":{"rate":0"#) == nil)
  }

  @Test("a change of the gain is refused where samples must stay unchanged")
  func aGainThatMovesIsRefused() async throws {
    let (test, first) = try QueueHistoryTests.prepare()
    func job(_ queue: PlayQueue, unchangedBefore: TimeSpec?) -> RenderJob {
      var job = QueueHistoryTests.job(test, queue, unchangedBefore: unchangedBefore)
      job.loudness = .standard
      return job
    }
    _ = try await RenderPipeline().render(job(first, unchangedBefore: nil))
    var queue = first
    queue.items[2].gain = -12
    let failure = try await QueueHistoryTests.failure(job(queue, unchangedBefore: .samples(48_000)))
    #expect(failure?.kind == .verificationFailed)
    #expect(failure?.message.contains("gain changes from") == true, "\(failure?.message ?? "")")
    // Without a sample that has to stay, there is nothing to refuse.
    let free = try await QueueHistoryTests.failure(job(queue, unchangedBefore: .samples(0)))
    #expect(free == nil)
  }
}
