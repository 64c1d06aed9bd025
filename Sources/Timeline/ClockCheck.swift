import AudioCore

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
