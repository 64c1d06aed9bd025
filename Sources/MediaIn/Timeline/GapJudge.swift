// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Decides what the time of a block says about the sound before it.
///
/// The codec's count of samples is known; the container's clock is evidence. A deviation counts as lost or repeated sound
/// only where what follows confirms it, and never beyond a whole length that the file states.
struct GapJudge {
  /// The meaning of a block's time.
  enum Verdict: Equatable {
    /// The block begins where the samples before it end, or says nothing about that.
    case onTime
    /// Later blocks take this deviation back, or none confirms it.
    case jitter(Int64)
    /// The clock runs at another speed than the codec's count, and is so far off by now.
    case drift(Int64)
    /// The clock is wrong at nearly every step.
    case implausible(ClockCheck.Finding)
    /// The clock was set anew, so many samples away.
    case restart(Int64)
    /// More samples would be missing than the whole has.
    case beyondEnd(Int64)
    /// So many samples are missing (> 0) or repeated (< 0).
    case jump(Int64)
  }

  /// Jumps forward beyond this many seconds are clock restarts, not lost audio.
  static let longestFill = 60

  /// Jumps back by more than this many codec frames, and half a second, are clock restarts: no
  /// fault repeats that much audio, and what follows a restart is new.
  static let longestOverlap: Int64 = 8

  /// Timestamps beyond this (hundreds of thousands of years) are garbage and count as unknown.
  private static let farthest: Int64 = 1 << 60

  private let rate: Int
  /// Most samples that the track has; `nil` where nothing that counts states it.
  private let bound: Int64?
  /// Whether timestamps are followed.
  private var followsClock: Bool
  /// Timestamp at which the next block should begin.
  private var due: Int64?
  /// Timestamp at which the clock began, at first or at its last restart.
  private var origin: Int64?
  /// Timestamps at which a clock that jumped back would have gone on, and at which it would be by now.
  private var abandoned: (from: Int64, to: Int64)?
  /// By how much the last timed block was late, within the clock's tolerance.
  private var deviation: Int64 = 0
  /// Samples by which the clock ran ahead of the sound, in deviations that moved what is due.
  private var aside: Int64 = 0
  /// Samples by which the last time is ahead of the sound before it, since deviations were left aside; `nil` after the clock
  /// was found wrong at nearly every step.
  private(set) var lead: Int64? = 0
  /// Samples so far, those that are missing included.
  private var passed: Int64 = 0
  /// The block before.
  private var last: TimedBlock?

  /// A judge of blocks at `rate` Hz of a track with at most `bound` samples. Without `followsClock`, blocks follow each other.
  init(rate: Int, bound: Int64?, followsClock: Bool) {
    self.rate = rate
    self.bound = bound
    self.followsClock = followsClock
  }

  /// A timestamp, or `nil` for one so far off that it can't be calculated with.
  static func plausible(_ position: Int64?) -> Int64? {
    guard let position, position.magnitude <= UInt64(farthest) else { return nil }
    return position
  }

  /// Judges the next block; `ahead` gives the facts of up to so many blocks after it.
  mutating func judge(
    _ block: TimedBlock, _ clock: ClockAccuracy, ahead: (Int) -> [TimedBlock]
  ) -> Verdict {
    defer { pass(block) }
    guard followsClock, let position = GapJudge.plausible(block.position) else { return .onTime }
    origin = origin ?? position
    guard let due else {
      self.due = position
      return .onTime
    }
    let found = position - due
    defer { lead = followsClock ? aside + position - (self.due ?? position) : nil }
    guard found.magnitude > UInt64(clock.tolerance) else {
      deviation = found
      return .onTime
    }
    let verdict = weigh(found, block, due, clock, ahead)
    settle(verdict, found, due)
    return verdict
  }

  /// Goes on `count` samples later, by a source that left them out.
  mutating func pass(_ count: Int64) {
    due = due.map { $0 + count }
    passed += count
    // The next block doesn't follow the one before.
    last = nil
  }

  private mutating func pass(_ block: TimedBlock) {
    pass(Int64(block.frames))
    abandoned?.to += Int64(block.frames)
    last = block
  }

  /// Sets the line that blocks are measured against by a verdict on a block that deviates by `found` from `due`.
  private mutating func settle(_ verdict: Verdict, _ found: Int64, _ due: Int64) {
    switch verdict {
    case .onTime, .jitter: return
    case .implausible: followsClock = false
    case .drift, .beyondEnd:
      self.due = due + found
      aside += found
      deviation = 0
    case .restart(let jump):
      self.due = due + jump
      deviation = 0
      abandoned = jump < 0 ? (due, due) : nil
      origin = min(origin ?? due, due + jump)
    case .jump(let size):
      self.due = due + size
      deviation = found - size
      passed += max(0, size)
    }
  }

  /// The meaning of a deviation beyond the clock's tolerance.
  private func weigh(
    _ found: Int64, _ block: TimedBlock, _ due: Int64, _ clock: ClockAccuracy,
    _ ahead: (Int) -> [TimedBlock]
  ) -> Verdict {
    let following = ahead(ClockCheck.window)
    let before = last.map { [$0] } ?? []
    if let finding = ClockCheck.finding(before + [block] + following, clock) {
      return .implausible(finding)
    }
    let future = ClockFuture(
      of: found, block, following, due: due, clock, longestStep: longestOverlap(clock))
    if future.isTakenBack { return .jitter(found) }
    let jump = clock.wholeFrames(found)
    if isRestart(jump, from: due, clock) { return .restart(jump) }
    guard future.isConfirmed else {
      // One packet at the very end speaks for itself where exactly whole frames are missing before it.
      let isWhole = found > 0 && clock.isWholeFrames(jump)
      return isWhole && fits(jump) ? .jump(jump) : .jitter(found)
    }
    // A loss shows at one step. A deviation that grew bit by bit is the clock's speed.
    if (found - deviation).magnitude <= UInt64(clock.tolerance) || future.runsAtAnotherSpeed {
      return .drift(found)
    }
    // Later times that err within the clock's tolerance take nothing back.
    let isWhole = (found - future.lasting).magnitude <= UInt64(clock.tolerance)
    let size = clock.wholeFrames(isWhole ? found : future.lasting)
    return fits(size) ? .jump(size) : .beyondEnd(size)
  }

  /// Whether the track can have so many samples more.
  private func fits(_ size: Int64) -> Bool { bound.map { passed + size <= $0 } ?? true }

  /// Samples of the longest jump back that is an overlap.
  private func longestOverlap(_ clock: ClockAccuracy) -> Int64 {
    max(GapJudge.longestOverlap * clock.codecFrame, Int64(rate / 2))
  }

  /// Whether a jump changes the clock rather than the audio: too far for a loss or a repetition,
  /// to or beyond the clock's beginning, or back to where it was before a jump back.
  private func isRestart(_ jump: Int64, from due: Int64, _ clock: ClockAccuracy) -> Bool {
    let position = due + jump
    guard jump < 0 else {
      if let abandoned {
        let slack = clock.tolerance
        if (abandoned.from - slack...abandoned.to + slack).contains(position) { return true }
      }
      return jump > Int64(GapJudge.longestFill * rate)
    }
    return -jump > longestOverlap(clock) || origin.map { position <= $0 } ?? false
  }
}

/// Holds the container's clock against the samples that the codec gives, over a window of blocks.
///
/// A single jump is a gap or an overlap. A clock that is wrong at nearly every step doesn't describe the sound:
/// whoever follows it cuts the programme or fills it with silence.
enum ClockCheck {
  /// Blocks that a window has at most after the jump that asks for it.
  static let window = 32
  /// Steps between timestamps without which nothing is concluded.
  private static let fewestSteps = 8

  /// Both counts of a window whose clock is wrong.
  struct Finding: Equatable {
    /// Samples that pass by the clock.
    let stated: Int64
    /// Samples that the blocks hold.
    let held: Int64
  }

  /// Judges `blocks`, which follow each other; `nil` where the clock may be followed.
  static func finding(_ blocks: [TimedBlock], _ accuracy: ClockAccuracy) -> Finding? {
    let steps = self.steps(of: blocks)
    guard steps.count >= fewestSteps else { return nil }
    let finding = Finding(
      stated: steps.reduce(0) { $0 + $1.stated }, held: steps.reduce(0) { $0 + $1.held })
    let isWrong =
      isSlow(steps, finding, accuracy) || isFast(steps, finding, accuracy)
    return isWrong ? finding : nil
  }

  /// From one known timestamp to the next.
  private struct Step {
    /// Samples that pass by the clock.
    let stated: Int64
    /// Samples that the blocks between hold.
    let held: Int64
    /// By how much the clock goes too far.
    var deviation: Int64 { stated - held }
  }

  private static func steps(of blocks: [TimedBlock]) -> [Step] {
    var steps: [Step] = []
    var last: Int64?
    var held: Int64 = 0
    for block in blocks {
      if let position = GapJudge.plausible(block.position) {
        if let last, held > 0 { steps.append(Step(stated: position - last, held: held)) }
        (last, held) = (position, 0)
      }
      held += Int64(block.frames)
    }
    return steps
  }

  /// Whether the clock is too slow, so that following it would drop sound: by a quarter of the sound on
  /// average, a single jump counted as one step at most; or by any amount at nearly every step.
  private static func isSlow(_ steps: [Step], _ sum: Finding, _ accuracy: ClockAccuracy) -> Bool {
    let limited = steps.reduce(0) { $0 + max(-$1.held, min($1.held, $1.deviation)) }
    if limited <= -sum.held / 4 { return true }
    let behind = steps.count { $0.deviation < -accuracy.noise }
    return behind * 10 >= steps.count * 9 && sum.stated - sum.held < -accuracy.tolerance
  }

  /// Whether the clock is too fast in a way that no loss explains: what is lost, and what a codec leaves out in
  /// silence, are whole frames.
  private static func isFast(_ steps: [Step], _ sum: Finding, _ accuracy: ClockAccuracy) -> Bool {
    guard accuracy.codecFrame > 0 else { return false }
    let frame = accuracy.codecFrame
    let ahead = steps.count { step in
      let rest = step.deviation % frame
      return step.deviation > accuracy.noise && min(rest, frame - rest) > accuracy.noise
    }
    return ahead * 10 >= steps.count * 9 && sum.stated - sum.held > accuracy.tolerance
  }
}

/// The conclusion about a deviation from the times of the blocks after it.
struct ClockFuture {
  /// Timed blocks that must agree with a deviation. A burst of wrong times in MPEG streams lasts a PES packet, which holds
  /// about as many frames.
  private static let confirming = 8
  /// Steps without which nothing is concluded on the clock's speed.
  private static let fewestSteps = 8
  /// Samples by which times may wander over a window besides their rounding.
  private static let wandering: Int64 = 4

  /// The part of the deviation that no confirming block takes back.
  private(set) var lasting: Int64
  /// Whether any block with a time follows before the clock is set anew.
  private(set) var isConfirmed = false
  /// Whether the deviation is within the clock's error again soon.
  private(set) var isTakenBack = false
  /// Whether the clock goes on to deviate more with each block, by what no lost frame explains, and the deviation isn't more
  /// than such a clock has to correct: one frame.
  let runsAtAnotherSpeed: Bool

  /// Weighs `deviation` of `block`, which should begin at `due`, by the blocks `following` it; a step beyond `longestStep`
  /// sets the clock anew.
  init(
    of deviation: Int64, _ block: TimedBlock, _ following: [TimedBlock], due: Int64,
    _ clock: ClockAccuracy, longestStep: Int64
  ) {
    var deviations = [deviation]
    var line = due + Int64(block.frames)
    var longest = Int64(block.frames)
    lasting = deviation
    for next in following {
      if let position = GapJudge.plausible(next.position) {
        let found = position - line
        let isNear = deviations.count <= ClockFuture.confirming
        if isNear, found.magnitude <= UInt64(clock.tolerance) { isTakenBack = true }
        if (found - deviations[deviations.count - 1]).magnitude > UInt64(longestStep) { break }
        deviations.append(found)
        if isNear { lasting = deviation > 0 ? min(lasting, found) : max(lasting, found) }
      }
      line += Int64(next.frames)
      longest = max(longest, Int64(next.frames))
    }
    isConfirmed = deviations.count > 1
    // From late to early, nothing lasts.
    if (lasting > 0) != (deviation > 0) { lasting = 0 }
    if isConfirmed, lasting.magnitude <= UInt64(clock.tolerance) { isTakenBack = true }
    let noise = ClockFuture.wandering + clock.noise
    runsAtAnotherSpeed =
      lasting.magnitude <= UInt64(longest + noise)
      && ClockFuture.wander(deviations, clock).magnitude > UInt64(noise)
  }

  /// Sum of the steps between `deviations`, each less the whole frames in it; 0 for too few of them.
  private static func wander(_ deviations: [Int64], _ clock: ClockAccuracy) -> Int64 {
    guard deviations.count > fewestSteps else { return 0 }
    return zip(deviations, deviations.dropFirst()).reduce(0) { sum, pair in
      let step = pair.1 - pair.0
      guard clock.codecFrame > 0 else {
        return step.magnitude <= UInt64(clock.tolerance) ? sum + step : sum
      }
      let frames = (Double(step) / Double(clock.codecFrame)).rounded()
      return sum + step - Int64(frames) * clock.codecFrame
    }
  }
}
