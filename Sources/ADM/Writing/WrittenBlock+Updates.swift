import AudioCore

extension WrittenBlock {
  /// The blocks of an object that begins in `start` and has these updates, in their order; those of other
  /// planes are left out.
  ///
  /// At every sample the blocks give the state that ``ObjectMotion`` gives. An update may begin in the middle
  /// of a ramp, and its ramp needn't be whole; then there is another block, one sample away, that brings the
  /// object there. Only where an update jumps and the next sample's begins in the middle of a ramp, or the
  /// programme's first sample does, the ramp begins a sample late.
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
      let before = motion.state
      while let update = rest.first, update.at == clock {
        motion = ObjectMotion(
          from: update.origin ?? motion.state, to: update.state, ramp: update.ramp,
          lead: update.lead, elapsed: update.elapsed)
        rest.removeFirst()
      }
      if clock == 0 { blocks.removeAll() }
      append(motion, after: before, at: clock, until: rest.first?.at ?? .max, to: &blocks)
    }
    return blocks
  }

  /// Appends what `motion` does from sample `start` on; at that sample the object was in `before`. Of what
  /// begins at sample `end` or later nothing is appended.
  private static func append(
    _ motion: ObjectMotion, after before: ObjectState, at start: Int64, until end: Int64,
    to blocks: inout [WrittenBlock]
  ) {
    guard !motion.isResting else {
      blocks.append(WrittenBlock(start: start, state: motion.target))
      return
    }
    var (place, state) = (before, motion.state)
    (place.rules, state.rules) = (.none, .none)
    var left = motion.ramp - motion.lead - Double(motion.elapsed)
    var first = start
    if place != state || blocks.isEmpty {
      if let last = blocks.last, last.start < start - 1 || last.ramp > 0 {
        if last.start == start - 1 { blocks.removeLast() }
        blocks.append(WrittenBlock(start: start - 1, ramp: 1, state: motion.state))
      } else {
        blocks.append(WrittenBlock(start: start, state: motion.state))
        first += 1
        left -= 1
      }
    }
    guard first < end else { return }
    guard left > 0 else {
      blocks.append(WrittenBlock(start: first, state: motion.target))
      return
    }
    let whole = Int64(left)
    if whole > 0 {
      let state = motion.advanced(by: Int(first - start + whole)).state
      blocks.append(WrittenBlock(start: first, ramp: whole, state: state))
    }
    if left > Double(whole), first + whole < end {
      blocks.append(WrittenBlock(start: first + whole, ramp: 1, state: motion.target))
    }
  }
}
