// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue
import Rendering
import Report
import Testing

/// The changes that a run reports since the run before take the taps of the sum into account.
@Suite(.tags(.system)) struct TapHistoryTests {
  /// A change of a queue is reported over all samples that a tap of the sum can carry it to.
  @Test func aQueuesHistoryKnowsWhatTapsReach() async throws {
    for (isSteady, memory, first) in [
      (true, TapContract.Memory.none, 30_000 - 480), (true, .unbounded, 30_000 - 480),
      (false, .none, 0),
    ] as [(Bool, TapContract.Memory, Int64)] {
      let (changes, length) = try await changes { Stated(memory: memory, isSteady: isSteady) }
      #expect(changes.map(\.from).min() == first)
      let last = changes.map(\.to).max() ?? 0
      #expect(memory == .unbounded || !isSteady ? last == length : last == 60_000)
    }
  }

  /// Delays by 480 samples, and states the rest.
  private final class Stated: AudioTap {
    let latency = 480
    let contract: TapContract
    private var line: AudioBuffer?

    init(memory: TapContract.Memory, isSteady: Bool) {
      var contract = TapContract()
      contract.memory = memory
      contract.isDeterministic = isSteady
      self.contract = contract
    }

    func prepare(_ format: AudioFormat) -> AudioFormat {
      let line = AudioBuffer(channels: format.channels)
      line.appendSilence(latency)
      self.line = line
      return format
    }

    func process(_ input: AudioBuffer, into output: AudioBuffer) {
      line?.append(input)
      line.map { output.append($0, range: 0..<input.frames) }
      line?.removeFirst(input.frames)
    }

    func finish(into output: AudioBuffer) { line.map { output.append($0) } }
  }

  /// Reported changes when the second of three items of 30,000 samples is another one.
  private func changes(
    _ make: @escaping @Sendable () -> any AudioTap
  ) async throws -> ([QueueReport.Change], Int64) {
    let test = try QueueCase()
    for (name, seed) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
      _ = try test.write("\(name).wav", QueueCase.noise(2, 30_000, seed: UInt64(seed)))
    }
    var report: RenderReport?
    for names in [["a", "b", "c"], ["a", "d", "c"]] {
      let queue = PlayQueue(names.map { QueueCase.item(test.folder.file("\($0).wav")) })
      report = try await test.render(.queue(queue)) { job in
        job.overwrite = true
        job.policy.segments = SegmentPolicy(folder: test.folder.file("cache"))
        job.rendition.taps = [Tap(.programme, "stated") { _ in make() }]
      }.report
    }
    let former = try #require(report?.queue?.former)
    return (former.changes, report?.outputs.first?.samples ?? 0)
  }
}
