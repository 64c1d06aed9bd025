import AudioCore
import TestSupport
import Testing

@testable import Rendering

@Suite struct ReadAheadTests {
  /// Delivers an object script in pieces of 700 samples, and may fail.
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
      let end = min(length, position + 700)
      script.append(position..<end, to: block)
      position = end
      if position == length, let failure { throw failure }
      return position < length
    }
  }

  private static let script = ObjectScript(
    frames: 60_000, edges: [480, 8190, 8400, 30_000], seed: 4)

  /// What a feed delivers, and the sizes of its pieces.
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
    let expected = (0..<60_000).map {
      ObservedSample(value: Float($0 + 1), states: Self.script.states(at: $0))
    }
    let (ahead, sizes) = try observe(ReadAhead(ScriptSource(Self.script, length: 60_000)))
    #expect(ahead == expected)
    #expect(sizes.dropLast().allSatisfy { $0 >= 8192 })
    let (direct, _) = try observe(DirectFeed(ScriptSource(Self.script, length: 60_000)))
    #expect(direct == expected)
  }

  @Test func aFailureComesWhereItHappened() throws {
    let source = ScriptSource(
      Self.script, length: 30_000, failure: MediaError(.damaged, "broken here"))
    let feed = ReadAhead(source)
    var frames = 0
    #expect(throws: MediaError.self) {
      while let block = try feed.next() { frames += block.frames }
    }
    feed.stop()
    #expect(frames > 0 && frames < 30_000)
  }

  /// Whoever stops early waits until nobody touches the source any more.
  @Test func stopsEarly() throws {
    let source = ScriptSource(Self.script, length: 60_000)
    let feed = ReadAhead(source)
    _ = try feed.next()
    feed.stop()
    feed.stop()
    let position = source.position
    #expect(position < 60_000)
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
