import Dispatch

/// Runs one file's blocking work on a thread of its own, so that the shared pool stays free for
/// whoever wants to cancel it.
final class WorkThread: TaskExecutor {
  private let queue = DispatchQueue(label: "pinna.measure")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}
