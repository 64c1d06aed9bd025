import AudioCore

/// Compares block timestamps with the running sample count and says what to insert or drop.
struct GapFiller {
  /// Jumps beyond this many seconds are clock restarts, not lost audio.
  static let longestFill = 60

  private let policy: GapPolicy
  private let rate: Int
  private var expected: Int64?
  /// Jumps met so far.
  private(set) var gaps: [TimelineGap] = []

  init(policy: GapPolicy, rate: Int) {
    self.policy = policy
    self.rate = rate
  }

  /// Judges a block of `frames` samples at `position`; `output` is the output sample it would begin
  /// at. Answers samples of silence to put before it (> 0) or samples to drop from it (< 0).
  mutating func judge(
    frames: Int, position: Int64?, tolerance: Int64, output: Int64, log: DiagnosticLog
  ) -> Int64 {
    guard let due = expected else {
      expected = (position ?? 0) + Int64(frames)
      return 0
    }
    expected = due + Int64(frames)
    guard let position, (position - due).magnitude > UInt64(tolerance) else { return 0 }
    let jump = position - due
    expected = position + Int64(frames)
    let isRestart = jump.magnitude > UInt64(GapFiller.longestFill * rate)
    let kind: TimelineGap.Kind = isRestart ? .discontinuity : (jump > 0 ? .gap : .overlap)
    note(kind, jump, output, log)
    if isRestart || policy == .ignore { return 0 }
    return jump
  }

  private mutating func note(
    _ kind: TimelineGap.Kind, _ jump: Int64, _ output: Int64, _ log: DiagnosticLog
  ) {
    let size = Int64(clamping: jump.magnitude)
    // A flood of jumps is one finding; the first hundred are listed.
    guard gaps.count < 100 else {
      log.degrade("timestamp-gap", "there are more than 100 timestamp jumps; the rest isn't listed")
      return
    }
    gaps.append(TimelineGap(kind: kind, position: max(0, output), samples: size))
    let time = MediaTime(ticks: max(0, output), rate: Int64(rate))
    let direction = jump > 0 ? "forward" : "back"
    let action: String
    switch (kind, policy) {
    case (.discontinuity, _): action = "taken as a restart of the clock"
    case (_, .ignore): action = "left as it is"
    case (.gap, _): action = "filled with silence"
    case (.overlap, _): action = "overlapping samples dropped"
    }
    log.degrade(
      "timestamp-gap", "timestamps jump \(direction) by \(size) samples at \(time); \(action)")
  }
}
