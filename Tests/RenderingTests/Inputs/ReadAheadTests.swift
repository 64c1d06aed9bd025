// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Rendering

@Suite struct ReadAheadTests {
  /// Delivers an object script in pieces of 70 samples, and may fail.
  private final class ScriptSource: ProgrammeSource {
    let programme: Programme
    private let script: ObjectScript
    private let length: Int
    private let failure: MediaError?
    private(set) var position = 0

    init(_ script: ObjectScript, length: Int, failure: MediaError? = nil) {
      self.script = script
      self.length = length
      self.failure = failure
      programme = script.programme
    }

    func read(into block: ProgrammeBlock) throws -> Bool {
      let end = min(length, position + 70)
      script.append(position..<end, to: block)
      position = end
      if position == length, let failure { throw failure }
      return position < length
    }
  }

  private static let script = ObjectScript(
    frames: 3000, edges: [240, 480, 500, 1500], seed: 4)

  /// Samples of a feed, and the sizes of its pieces.
  private func observe(_ feed: any BlockFeed) throws -> ([ObservedSample], [Int]) {
    let observer = ObjectObserver(Self.script.programme)
    var sizes: [Int] = []
    while let block = try feed.next() {
      sizes.append(block.frames)
      observer.take(block)
    }
    feed.stop()
    return (observer.samples, sizes)
  }

  @Test func deliversTheSamplesAndStatesInOrder() throws {
    let expected = (0..<3000).map {
      ObservedSample(value: Float($0 + 1), states: Self.script.states(at: $0))
    }
    // A batch ends with its samples, or with its buffers.
    for gathered in [480, 2000] {
      let (ahead, sizes) = try observe(
        ReadAhead(
          ScriptSource(Self.script, length: 3000), StageTimes(), gathered: gathered))
      // The samples are too many to be printed.
      let isRight = ahead == expected
      #expect(isRight)
      #expect(sizes.dropLast().allSatisfy { $0 == 70 })
    }
    let stages = StageTimes()
    let (direct, _) = try observe(DirectFeed(ScriptSource(Self.script, length: 3000), stages))
    let isDirectRight = direct == expected
    #expect(isDirectRight)
    #expect(stages.report.map(\.stage) == [.read])
  }

  /// A loop that takes processor time.
  private func work(_ rounds: Int) -> Double {
    (0..<rounds).reduce(0) { $0 + sin(Double($1)) }
  }

  @Test("the time of a stage inside another one counts once") func stagesInStagesCountOnce() throws
  {
    let stages = StageTimes()
    let start = SystemClock.thread
    let sum = stages.time(.render) {
      work(1000) + stages.time(.read) { work(1_000_000) } + stages.time(.read) { work(1_000_000) }
    }
    let all = SystemClock.thread - start
    let costs = stages.report
    #expect(sum.isFinite)
    #expect(costs.map(\.stage) == [.read, .render])
    // Both together are what the thread took, but for what lies between two looks at its clock.
    let total = costs.reduce(0) { $0 + $1.cpuSeconds }
    #expect(total <= all && total > 0.9 * all)
    #expect(costs[0].cpuSeconds > costs[1].cpuSeconds)
  }

  @Test func aFailureComesWhereItHappened() throws {
    let source = ScriptSource(
      Self.script, length: 1500, failure: MediaError(.damaged, "broken here"))
    let feed = ReadAhead(source, StageTimes(), gathered: 480)
    var frames = 0
    #expect(throws: MediaError.self) {
      while let block = try feed.next() { frames += block.frames }
    }
    feed.stop()
    #expect(frames > 0 && frames < 1500)
  }

  /// Names settings in its only message, as readers do.
  private final class NamingSource: ProgrammeSource {
    let programme = Programme(AudioFormat(sampleRate: 48_000, layout: .mono))

    func read(into block: ProgrammeBlock) throws -> Bool {
      throw MediaError(.damaged, "use \(setting: .damage)")
    }
  }

  @Test func theThreadNamesSettingsAsTheCallerDoes() {
    SettingWords.$current.withValue(SettingWords { _ in "THE SWITCH" }) {
      let feed = ReadAhead(NamingSource(), StageTimes())
      defer { feed.stop() }
      let error = #expect(throws: MediaError.self) { _ = try feed.next() }
      #expect(error?.message == "use THE SWITCH")
    }
  }

  /// Whoever stops early waits until nobody touches the source any more.
  @Test("a reader that stops early waits until nobody touches the source") func stopsEarly() throws
  {
    let source = ScriptSource(Self.script, length: 3000)
    let feed = ReadAhead(source, StageTimes(), gathered: 480)
    _ = try feed.next()
    feed.stop()
    feed.stop()
    let position = source.position
    #expect(position < 3000)
    var rest = 0
    while let block = try feed.next() { rest += block.frames }
    #expect(source.position == position && rest <= position)
  }

  @Test func aQueueKeepsTheOrderAndItsEnd() {
    let queue = HandoverQueue<Int>()
    (0..<5).forEach(queue.put)
    queue.end()
    #expect((0..<7).map { _ in queue.take() } == [0, 1, 2, 3, 4, nil, nil])
    let closed = HandoverQueue<Int>()
    closed.put(1)
    closed.close()
    #expect(closed.take() == nil)
  }
}
