import AudioCore

/// What the times of the blocks after a deviation make of it.
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
