import AudioCore
import Rendering
import Report
import Verify

/// Verifies goldens, several at once.
package struct GoldenVerifier: Sendable {
  private let runner: GoldenRunner
  private let limit: Int
  private let show: @Sendable (GoldenReport.Entry) -> Void

  /// A verifier that runs up to `limit` cases at once and hands each entry to `show`.
  package init(
    runner: GoldenRunner, limit: Int, show: @escaping @Sendable (GoldenReport.Entry) -> Void
  ) {
    self.runner = runner
    self.limit = limit
    self.show = show
  }

  /// Verifies the cases `ids`.
  /// - Returns: their entries by name, fewer when it was stopped.
  package func run(_ ids: [String]) async -> [GoldenReport.Entry] {
    await batch(ids).sorted { $0.id < $1.id }
  }

  private func batch(_ ids: [String]) async -> [GoldenReport.Entry] {
    await withTaskGroup(of: GoldenReport.Entry?.self) { group in
      var waiting = ids[...]
      var entries: [GoldenReport.Entry] = []
      var running = 0
      while true {
        while running < limit, !Task.isCancelled, let id = waiting.popFirst() {
          running += 1
          group.addTask(executorPreference: JobExecutor()) { await verify(id) }
        }
        guard let entry = await group.next() else { return entries }
        running -= 1
        guard let entry else { continue }
        entries.append(entry)
        show(entry)
      }
    }
  }

  /// Verifies one case.
  /// - Returns: its entry; `nil` when it was stopped.
  private func verify(_ id: String) async -> GoldenReport.Entry? {
    let start = ResourceUse.wall
    var entry = GoldenReport.Entry(
      id: id, status: "failed", why: "", failures: [], notes: [], seconds: 0)
    do {
      let golden = try runner.folder.golden(id)
      entry.why = golden.why
      let expected = try runner.folder.expected(id)
      let outcome = try await runner.outcome(golden)
      let comparator = GoldenComparator(
        golden: golden, expected: expected, current: GoldenObserver.recording(commit: nil))
      let result = comparator.compare(outcome)
      (entry.failures, entry.notes) = (result.failures, result.notes)
    } catch {
      let failure = error as? MediaError ?? MediaError(.internal, about: id, "\(error)")
      if failure.kind == .interrupted { return nil }
      entry.failures = [failure.message]
    }
    if entry.failures.isEmpty { entry.status = "passed" }
    entry.seconds = ((ResourceUse.wall - start) * 1000).rounded() / 1000
    return entry
  }
}
