import AudioCore

extension WrittenBlock {
  /// The blocks of an object that begins in `start` and has these updates, in their order; those of other
  /// planes are left out.
  ///
  /// At every sample the blocks give the state that ``ObjectMotion`` gives, but for a thousandth of a sample:
  /// a ramp begins in the state of the block before it, so where a ramp begins in another one, a block of that
  /// state lies between two samples, where it isn't heard. A ramp that was under way when the programme
  /// began goes on from the state that was reached.
  package static func list(
    from start: ObjectState, updates: [ObjectUpdate], plane: Int
  ) -> [WrittenBlock] {
    var blocks = [WrittenBlock(start: 0, state: start)]
    var motion = ObjectMotion(restingIn: start)
    var clock: Int64 = 0
    var rest = updates.filter { $0.plane == plane && $0.at >= 0 }[...]
    while let next = rest.first {
      motion = motion.advanced(by: Int(next.at - clock))
      clock = next.at
      while let update = rest.first, update.at == clock {
        motion = update.motion(after: motion)
        rest.removeFirst()
      }
      if clock == 0 { blocks.removeAll() }
      append(motion, at: clock, to: &blocks)
    }
    return blocks
  }

  /// How long blocks that aren't heard last, in samples.
  private static let instant = 0.001

  /// Appends what `motion` does from sample `start` on.
  private static func append(
    _ motion: ObjectMotion, at start: Int64, to blocks: inout [WrittenBlock]
  ) {
    guard !motion.isResting else {
      blocks.append(WrittenBlock(start: start, state: motion.target))
      return
    }
    guard motion.elapsed == 0, start > 0 else {
      return resume(motion, at: start, to: &blocks)
    }
    // A block begins after the sample before it.
    let lead = min(motion.lead, 1 - 2 * instant)
    if !isSettled(blocks.last, in: motion.origin, at: Double(start) - lead) {
      blocks.append(WrittenBlock(start: start, lead: lead + instant, state: motion.origin))
    }
    blocks.append(
      WrittenBlock(
        start: start, lead: lead, ramp: motion.ramp - (motion.lead - lead), state: motion.target))
  }

  /// Appends a motion that began before sample `start`.
  private static func resume(
    _ motion: ObjectMotion, at start: Int64, to blocks: inout [WrittenBlock]
  ) {
    let left = motion.ramp - motion.lead - Double(motion.elapsed)
    blocks.append(WrittenBlock(start: start, state: motion.state))
    blocks.append(
      WrittenBlock(
        start: start + 1, lead: 1 - instant, ramp: max(instant, left - instant),
        state: motion.target))
  }

  /// Whether `block` has reached `state` by the time `time`, in samples.
  private static func isSettled(
    _ block: WrittenBlock?, in state: ObjectState, at time: Double
  ) -> Bool {
    guard let block else { return false }
    return block.state == state && Double(block.start) - block.lead + block.ramp <= time + 1e-6
  }
}
