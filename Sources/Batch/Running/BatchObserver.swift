import AudioCore
import Report

/// Watches a batch; all calls come from one thread.
package protocol BatchObserver: AnyObject {
  /// A worker begins an item or album called `name`.
  func began(_ name: String, worker: Int, attempt: Int)
  /// A worker is so far with it.
  func progressed(_ name: String, worker: Int, _ progress: WorkProgress)
  /// A worker has nothing to do any more.
  func rested(worker: Int)
  /// An item has ended; `reason` says why it was done although there was a result.
  func ended(_ entry: BatchReport.Entry, reason: String?)
  /// An item or album failed for now and is tried again.
  func willRetry(_ name: String, after seconds: Double, because error: RenderReport.Failure)
  /// Time has passed.
  func tick()
}
