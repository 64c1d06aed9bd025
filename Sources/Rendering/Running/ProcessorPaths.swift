import AudioCore
import LibAV
import Platform
import Synchronization

/// Keeps runs that use libav's plain C code apart from runs that don't.
///
/// libav keeps this choice for the whole process. Runs with the same choice may be concurrent; a
/// run with the other choice waits until they have ended. Each run has its own thread, so waiting
/// blocks nothing else.
enum ProcessorPaths {
  /// What all runs of the process share.
  private struct State {
    var isPortable = false
    var running = 0
  }

  private static let state = Mutex(State())

  /// How long a run sleeps before it looks again whether it may begin, in microseconds.
  private static let patience: UInt32 = 20_000

  /// Runs `body` with libav's plain C code, or with that for this processor.
  /// - Throws: what `body` throws; ``MediaError`` of kind `interrupted` when the task is cancelled
  ///   while it waits.
  static func during<Value>(
    isPortable: Bool, _ body: () throws -> Value
  ) throws -> Value {
    while !enter(isPortable) {
      if Task.isCancelled {
        throw MediaError(.interrupted, "stopped before it could begin")
      }
      usleep(patience)
    }
    defer { state.withLock { $0.running -= 1 } }
    return try body()
  }

  private static func enter(_ isPortable: Bool) -> Bool {
    state.withLock { state in
      guard state.isPortable != isPortable else {
        state.running += 1
        return true
      }
      guard state.running == 0 else { return false }
      state = State(isPortable: isPortable, running: 1)
      ProcessorCode.usePortable(isPortable)
      return true
    }
  }
}
