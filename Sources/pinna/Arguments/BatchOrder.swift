import Batch
import Report

/// A batch as it was ordered, ready to be run on a thread of its own.
struct BatchOrder: Sendable {
  let plan: BatchPlan
  let items: [BatchItem]
  let limits: BatchLimits
  let options: BatchRunner.Options
  let lock: FolderLock
  let stop: BatchStop

  /// Runs it; blocks until it is done.
  func run(_ display: BatchDisplay) throws -> [String: BatchReport.Entry] {
    try BatchRunner(
      plan: plan, items: items, limits: limits, options: options, lock: lock, observer: display,
      stop: stop
    ).run()
  }

  /// All items in their order; those without an outcome were stopped.
  func complete(_ entries: [String: BatchReport.Entry]) -> [BatchReport.Entry] {
    items.map { item in
      entries[item.id]
        ?? BatchReport.Entry(
          id: item.id, input: item.input, status: .stopped, result: ResultStore.place(item.id))
    }
  }
}
