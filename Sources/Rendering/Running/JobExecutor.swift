import Dispatch

/// Runs a job's blocking work on a thread of its own, so that the shared pool stays free for
/// whoever wants to cancel it.
public final class JobExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "pinna.job")

  /// A thread for one job.
  public init() {}

  /// Runs a piece of the job; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}
