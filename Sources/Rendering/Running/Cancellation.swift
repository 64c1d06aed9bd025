import Synchronization

/// Whether a run is to stop, for all of its threads: only the task's own thread can ask the task.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// Whether ``cancel()`` was called.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks the run to stop.
  func cancel() { flag.store(true, ordering: .relaxed) }

  /// Runs `body` as a job on a thread of its own; cancelling the task cancels this as well.
  static func watching<Value: Sendable>(
    _ body: @escaping @Sendable (Cancellation) -> Value
  ) async -> Value {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withTaskExecutorPreference(JobExecutor()) { body(cancellation) }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
