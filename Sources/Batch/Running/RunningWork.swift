/// A piece of work that a worker is at.
struct RunningWork {
  /// What it is.
  let unit: WorkUnit
  /// Number of the attempt, from 1.
  let attempt: Int
  /// When it has to be done; `nil` has all the time.
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
    /// The batch was told to stop.
    case stopped
  }
}
