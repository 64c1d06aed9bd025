import Batch
import Report

/// A batch with everything it needs to run on another thread.
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

  /// An entry for each item, in the batch's order; items without one were stopped.
  func complete(_ entries: [String: BatchReport.Entry]) -> [BatchReport.Entry] {
    items.map { item in
      entries[item.id]
        ?? BatchReport.Entry(
          id: item.id, input: item.input, status: .stopped, result: ResultStore.place(item.id))
    }
  }
}
