/// Samples of a programme and what happens to its objects in them, cut and joined together.
///
/// A block has a clock of its own: it shows ``start`` at the first sample and counts on from there;
/// dropping samples at the front moves `start`, nothing else does. Updates lie inside the block
/// (`start ≤ at < end`), in the order of their times; of two at the same sample the later one begins
/// where the earlier one has led. Besides, the block knows what every object does when its first
/// sample comes, before any update at that sample, so it can be understood alone.
///
/// Every operation keeps each object's state at each sample, bit by bit, however blocks are cut: a
/// ramp is carried over a cut with both its ends and a count (``ObjectMotion``), never with a state
/// calculated on the way. Sources append; trims, ranges, gaps and joins use these operations and
/// needn't know of objects. A programme without objects pays nothing for them.
package final class ProgrammeBlock {
  /// The samples. Readers may append to it; whoever drops samples does so by the block's own
  /// operations, which keep the updates in step.
  package let audio: AudioBuffer
  /// What the block's clock shows at the first sample.
  package private(set) var start: Int64
  /// Updates inside the block, by time.
  package private(set) var updates: [ObjectUpdate] = []
  /// What each object does at ``start`` before any update there; `nil` for planes that aren't an
  /// object's. Empty without objects.
  private var motions: [ObjectMotion?]

  /// An empty block for `programme`, all objects in their start states.
  package convenience init(_ programme: Programme, start: Int64 = 0, capacity: Int = 0) {
    self.init(
      programme, audio: AudioBuffer(channels: programme.planes, capacity: capacity), start: start)
  }

  /// A block around `audio`, which has a plane for each of the programme's; it isn't copied.
  package init(_ programme: Programme, audio: AudioBuffer, start: Int64 = 0) {
    precondition(audio.channels == max(1, programme.planes), "plane counts differ")
    self.audio = audio
    self.start = start
    motions = []
    let all = programme.elements.flatMap { element -> [ObjectMotion?] in
      guard case .object(_, let state) = element else {
        return Array(repeating: nil, count: element.planes)
      }
      return [ObjectMotion(restingIn: state)]
    }
    if all.contains(where: { $0 != nil }) { motions = all }
  }

  /// Samples in each plane.
  package var frames: Int { audio.frames }
  /// What the block's clock shows behind the last sample.
  package var end: Int64 { start + Int64(frames) }
  /// Planes that hold an object.
  package var objectPlanes: [Int] { motions.indices.filter { motions[$0] != nil } }

  /// What the object in `plane` does at sample `position` (`start ≤ position ≤ end`), updates at that
  /// sample included; `nil` for a plane that isn't an object's.
  package func motion(of plane: Int, at position: Int64) -> ObjectMotion? {
    motions.indices.contains(plane) ? motions(at: position, until: position)[plane] : nil
  }

  /// Takes an update inside the block. It comes after those at the same sample.
  package func add(_ update: ObjectUpdate) {
    precondition(
      motions.indices.contains(update.plane) && motions[update.plane] != nil,
      "the plane isn't an object's")
    precondition(update.at >= start && update.at < end, "the update lies outside the block")
    let place = updates.lastIndex { $0.at <= update.at }.map { $0 + 1 } ?? 0
    updates.insert(update, at: place)
  }

  /// Appends `range` (in samples from the other's first, all for `nil`) of a block with the same
  /// planes, and its updates by this block's clock. Where the objects don't go on as they did here, an
  /// update at the seam says so.
  package func append(_ other: ProgrammeBlock, range: Range<Int>? = nil) {
    let range = range ?? 0..<other.frames
    // No sample, no update: it would lie behind the end.
    guard !range.isEmpty else { return }
    if !motions.isEmpty { appendUpdates(of: other, range) }
    audio.append(other.audio, range: range)
  }

  /// Appends `count` samples of silence, in which all objects stay where they have got to. A ramp that
  /// is under way stops; when what follows is appended, it goes on from there.
  package func appendSilence(_ count: Int) {
    guard count > 0 else { return }
    if !motions.isEmpty {
      for (plane, motion) in motions(at: end, until: end).enumerated() {
        guard let motion, !motion.isResting else { continue }
        updates.append(ObjectUpdate(plane: plane, at: end, state: motion.state))
      }
    }
    audio.appendSilence(count)
  }

  /// Drops the first `count` samples. What the objects do at the cut is kept.
  package func removeFirst(_ count: Int) {
    pass(count)
    audio.removeFirst(count)
  }

  /// Drops all samples and keeps what the objects do behind them; the clock goes on.
  package func removeAll() {
    pass(frames)
    audio.removeAll()
  }

  /// Keeps only the first `count` samples and the updates in them.
  package func truncate(to count: Int) {
    audio.truncate(to: count)
    updates.removeAll { $0.at >= end }
  }

  /// Moves the clock on by `count` samples.
  private func pass(_ count: Int) {
    let cut = start + Int64(count)
    if !motions.isEmpty {
      motions = motions(at: cut, until: cut - 1)
      updates.removeAll { $0.at < cut }
    }
    start = cut
  }

  /// What all planes' objects do at `position` by the updates up to and with sample `last`.
  private func motions(at position: Int64, until last: Int64) -> [ObjectMotion?] {
    var result = motions
    var clocks = Array(repeating: start, count: motions.count)
    for update in updates where update.at <= last {
      let before = result[update.plane]?.advanced(by: Int(update.at - clocks[update.plane]))
      result[update.plane] = before.map { update.motion(after: $0) }
      clocks[update.plane] = update.at
    }
    for plane in result.indices {
      result[plane] = result[plane]?.advanced(by: Int(position - clocks[plane]))
    }
    return result
  }

  private func appendUpdates(of other: ProgrammeBlock, _ range: Range<Int>) {
    precondition(other.motions.count == motions.count, "the blocks hold other elements")
    let first = other.start + Int64(range.lowerBound)
    let own = motions(at: end, until: end)
    for (plane, motion) in other.motions(at: first, until: first - 1).enumerated() {
      if let motion, motion != own[plane] {
        updates.append(ObjectUpdate(plane: plane, at: end, motion: motion))
      }
    }
    let last = first + Int64(range.count)
    for var update in other.updates where update.at >= first && update.at < last {
      update.at += end - first
      updates.append(update)
    }
  }
}
