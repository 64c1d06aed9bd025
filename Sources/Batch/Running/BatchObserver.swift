import AudioCore
import Report

/// Watches a batch; all calls come from one thread.
package protocol BatchObserver: AnyObject {
  /// A worker begins an item or album called `name`.
  func began(_ name: String, worker: Int, attempt: Int)
  /// Reports a worker's progress with its item.
  func progressed(_ name: String, worker: Int, _ progress: WorkProgress)
  /// A worker is idle.
  func rested(worker: Int)
  /// An item has ended; `reason` is why an existing result wasn't used, `nil` when there was none.
  func ended(_ entry: BatchReport.Entry, reason: String?)
  /// An item or album failed for now and is tried again.
  func willRetry(_ name: String, after seconds: Double, because error: RenderReport.Failure)
  /// Called in every round of the batch's loop, at least ten times a second.
  func tick()
}
