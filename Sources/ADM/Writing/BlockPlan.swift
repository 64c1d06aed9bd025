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

  /// When it begins.
  var start: WrittenTime
  /// How long it lasts, more than 0.
  var duration: WrittenTime
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
    let last = WrittenTime(sample: length)
    for (index, block) in blocks.enumerated() where block.start < length {
      let start = WrittenTime(sample: block.start, lead: block.lead)
      let end =
        index + 1 < blocks.count
        ? min(last, WrittenTime(sample: blocks[index + 1].start, lead: blocks[index + 1].lead))
        : last
      guard start < end else { continue }
      var plan = BlockPlan(start: start, duration: end - start, state: block.state, way: .atOnce)
      if let before = reached, block.ramp > 0 {
        let ramp = WrittenTime(samples: block.ramp)
        // Beginnings and lengths are rounded apart from each other.
        if (ramp - plan.duration).count.magnitude <= 2 {
          plan.way = .whole
        } else if plan.duration < ramp {
          plan.way = .whole
          plan.state = before.moved(
            to: block.state, by: Double(plan.duration.count) / Double(ramp.count))
        } else if let seconds = ramp.decimal(rate: rate) {
          plan.way = .within(seconds)
        } else {
          plans.append(
            BlockPlan(start: plan.start, duration: ramp, state: block.state, way: .whole))
          plan.start = plan.start + ramp
          plan.duration = plan.duration - ramp
        }
      }
      plans.append(plan)
      reached = plan.state
    }
    return plans
  }
}
