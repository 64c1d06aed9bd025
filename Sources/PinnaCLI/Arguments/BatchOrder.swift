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

  /// Runs it; blocks until it is done. `ledger` takes the entries of the items.
  func run(_ display: BatchDisplay, into ledger: EntryLedger) throws {
    try BatchRunner(
      plan: plan, items: items, ledger: ledger, limits: limits, options: options, lock: lock,
      observer: display, stop: stop
    ).run()
  }
}
