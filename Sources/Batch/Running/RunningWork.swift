/// Work that a worker is doing.
struct RunningWork {
  /// What it is.
  let unit: WorkUnit
  /// Number of the attempt, from 1.
  let attempt: Int
  /// When it has to be done, on ``WorkClock/wall``; `nil` for no limit.
  let deadline: Double?
  /// When a worker that was asked to stop is ended.
  var grace: Double?
  /// Why it was stopped before it was done.
  var verdict: Verdict?

  /// Why work was stopped.
  enum Verdict {
    /// It took too long.
    case timeout
    /// It took too much memory.
    case memory
    /// The batch was asked to stop.
    case stopped
  }
}
