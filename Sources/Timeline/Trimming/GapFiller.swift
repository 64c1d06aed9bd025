import AudioCore

/// Compares block timestamps with the running sample count and decides what to insert or drop.
struct GapFiller {
  /// Jumps forward beyond this many seconds are clock restarts, not lost audio.
  static let longestFill = 60

  /// Jumps back by more than this many codec frames, and half a second, are clock restarts: no
  /// fault repeats that much audio, and what follows a restart is new.
  static let longestOverlap: Int64 = 8

  /// Timestamps beyond this (hundreds of thousands of years) are garbage and count as unknown.
  private static let farthest: Int64 = 1 << 60

  /// What is done about jumps.
  let policy: GapPolicy
  private let rate: Int
  /// Whether timestamps are followed.
  private var followsClock = true
  /// Timestamp at which the next block should begin.
  private var expected: Int64?
  /// Where the clock began, at first or at its last restart.
  private var origin: Int64?
  /// Where a clock that jumped back would have gone on, and where it would be by now.
  private var abandoned: (from: Int64, to: Int64)?
  /// Samples of an overlap that outlasted the blocks so far and are still to be dropped.
  private var surplus: Int64 = 0
  /// Jumps met so far.
  private(set) var gaps: [TimelineGap] = []

  init(policy: GapPolicy, rate: Int) {
    self.policy = policy
    self.rate = rate
  }

  /// A timestamp, or `nil` for one so far off that it can't be calculated with.
  static func plausible(_ position: Int64?) -> Int64? {
    guard let position, position.magnitude <= UInt64(farthest) else { return nil }
    return position
  }

  /// Judges a block of `frames` samples at `position` by the accuracy of its `clock`; `output` is
  /// the output sample it would begin at. Returns samples of silence to put before it (> 0) or
  /// samples to drop from it (< 0).
  mutating func judge(
    frames: Int, position: Int64?, clock: ClockAccuracy, output: Int64, log: DiagnosticLog
  ) -> Int64 {
    let position = GapFiller.plausible(position)
    let due = expected
    let isElsewhere = isJump(to: position, clock)
    expected = (due ?? position).map { $0 + Int64(frames) }
    origin = origin ?? position
    var change: Int64 = 0
    if let due, let position, isElsewhere {
      let jump = GapFiller.wholeFrames(position - due, clock)
      expected = due + jump + Int64(frames)
      if isRestart(from: due, to: position, clock) {
        note(.discontinuity, jump, output, log)
        abandoned = jump < 0 ? (due, due) : nil
        origin = min(origin ?? position, position)
        surplus = 0
      } else {
        change = fill(jump: jump, output, log)
      }
    }
    abandoned?.to += Int64(frames)
    // An overlap may be longer than a block. The rest of it is dropped from later blocks, less what
    // a jump forward makes up.
    let net = change - surplus
    let dropped = min(max(0, -net), Int64(frames))
    surplus = max(0, -net) - dropped
    return net > 0 ? net : -dropped
  }

  /// Whether a block at `position` begins elsewhere than the samples before it end, by more than `clock` errs.
  func isJump(to position: Int64?, _ clock: ClockAccuracy) -> Bool {
    guard followsClock, let expected, let position = GapFiller.plausible(position) else {
      return false
    }
    return (position - expected).magnitude > UInt64(clock.tolerance)
  }

  /// From here on, blocks follow each other whatever their timestamps say. An overlap that is still owed isn't
  /// dropped.
  mutating func leaveClock() {
    followsClock = false
    surplus = 0
  }

  /// Packets are lost whole: a jump that is a number of codec frames within the clock's uncertainty
  /// is taken as exactly that many.
  private static func wholeFrames(_ jump: Int64, _ clock: ClockAccuracy) -> Int64 {
    let unit = clock.codecFrame
    guard unit > 0 else { return jump }
    let size = Int64(jump.magnitude)
    let whole = (size + unit / 2) / unit * unit
    guard whole > 0, abs(whole - size) <= clock.uncertainty else { return jump }
    return jump > 0 ? whole : -whole
  }

  /// Goes on `count` samples later, by a source that left them out.
  mutating func pass(_ count: Int64) { expected = expected.map { $0 + count } }

  /// Whether a jump changes the clock rather than the audio: too far for a loss or a repetition,
  /// to or beyond the clock's beginning, or back to where it was before a jump back.
  private func isRestart(from due: Int64, to position: Int64, _ clock: ClockAccuracy) -> Bool {
    let jump = position - due
    guard jump < 0 else {
      if let abandoned {
        let slack = clock.tolerance
        if (abandoned.from - slack...abandoned.to + slack).contains(position) { return true }
      }
      return jump > Int64(GapFiller.longestFill * rate)
    }
    let longest = max(GapFiller.longestOverlap * clock.codecFrame, Int64(rate / 2))
    return -jump > longest || origin.map { position <= $0 } ?? false
  }

  /// Notes a jump and returns by how much the output has to move for it.
  private mutating func fill(jump: Int64, _ output: Int64, _ log: DiagnosticLog) -> Int64 {
    if policy == .ignore {
      note(jump > 0 ? .gap : .overlap, jump, output, log)
      surplus = 0
      return 0
    }
    if jump < 0 {
      note(.overlap, jump, output, log)
    } else if jump > surplus {
      note(.gap, jump - surplus, output, log)
    }
    return jump
  }

  private mutating func note(
    _ kind: TimelineGap.Kind, _ jump: Int64, _ output: Int64, _ log: DiagnosticLog
  ) {
    let size = Int64(clamping: jump.magnitude)
    // Only the first hundred jumps are listed, so that a damaged file can't fill the report.
    guard gaps.count < 100 else {
      log.degrade(.timestampGap, "there are more than 100 timestamp jumps; the rest isn't listed")
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
      .timestampGap, "timestamps jump \(direction) by \(size) samples at \(time); \(action)")
  }
}
