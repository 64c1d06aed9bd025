import Dispatch

/// Runs a job's blocking work on a thread of its own, so that the shared pool stays free for
/// whoever wants to cancel it.
package final class JobExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "pinna.job")

  /// A thread for one job.
  package init() {}

  /// Runs a piece of the job; called by the concurrency runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}
