import AudioCore

/// A block of an object as it stands in the document.
struct BlockPlan: Equatable {
  /// How the object gets to the block's state (ITU-R BS.2127, 7.2).
  enum Way: Equatable {
    /// At once: jumpPosition without interpolationLength.
    case atOnce
    /// Within this many seconds, as a decimal number: jumpPosition with interpolationLength.
    case within(String)
    /// Over the whole block: no jumpPosition.
    case whole
  }

  /// Sample at which it begins.
  var start: Int64
  /// Samples that it lasts, at least 1.
  var duration: Int64
  /// The state that is reached.
  var state: ObjectState
  /// How it is reached.
  var way: Way

  /// The blocks that say what `blocks` say, up to sample `length`, at `rate` Hz.
  ///
  /// interpolationLength is a decimal number of seconds (ITU-R BS.2076-2, 5.4.3.3), which can't give
  /// every number of samples. A ramp that it can't give becomes a block of its own, over the whole of
  /// which the object moves, with another block of the same state behind it. A ramp that the next block
  /// cuts short ends in the state that is reached there.
  static func list(_ blocks: [WrittenBlock], length: Int64, rate: Int) -> [BlockPlan] {
    var plans: [BlockPlan] = []
    var reached: ObjectState?
    for (index, block) in blocks.enumerated() where block.start < length {
      let end = index + 1 < blocks.count ? min(length, blocks[index + 1].start) : length
      var plan = BlockPlan(
        start: block.start, duration: end - block.start, state: block.state, way: .atOnce)
      if let before = reached, block.ramp > 0 {
        if block.ramp >= plan.duration {
          plan.way = .whole
          if block.ramp > plan.duration {
            plan.state = before.moved(
              to: block.state, by: Double(plan.duration) / Double(block.ramp))
          }
        } else if let seconds = decimal(block.ramp, rate: rate) {
          plan.way = .within(seconds)
        } else {
          plans.append(
            BlockPlan(
              start: block.start, duration: block.ramp, state: block.state, way: .whole))
          plan.start += block.ramp
          plan.duration -= block.ramp
        }
      }
      plans.append(plan)
      reached = plan.state
    }
    return plans
  }

  /// `samples` in seconds with at most nine digits behind the point; `nil` where that isn't exact.
  private static func decimal(_ samples: Int64, rate: Int) -> String? {
    let (whole, rest) = samples.quotientAndRemainder(dividingBy: Int64(rate))
    guard whole < 100_000, rest * 1_000_000_000 % Int64(rate) == 0 else { return nil }
    let digits = String(rest * 1_000_000_000 / Int64(rate))
    let fraction = String(repeating: "0", count: 9 - digits.count) + digits
    let kept = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(whole)." + (kept.isEmpty ? "0" : String(kept))
  }
}
