// SPDX-License-Identifier: Apache-2.0

/// Samples of a programme together with the updates of its objects, so that cutting and joining keep
/// both in step.
///
/// A block numbers its samples: the first has number ``start``, and only dropping samples at the front
/// changes `start`. Updates lie inside the block (`start ≤ at < end`), in the order of their times. Of
/// two updates of one object at the same sample, the later one starts from the state that the earlier
/// one gave. The block also stores each object's motion at its first sample, before any update at that
/// sample, so no earlier block is needed to know a state.
///
/// Every operation keeps each object's state at each sample, bit by bit, however blocks are cut: a cut
/// inside a ramp stores both ends of the ramp and the samples passed (``ObjectMotion``), never an
/// interpolated state. Sources append; trims, ranges, gaps and joins use these operations and needn't
/// know of objects. A programme without objects pays nothing for them.
package final class ProgrammeBlock {
  /// The samples. Readers may append to this buffer. Samples are dropped only by the block's own
  /// operations, which keep the updates in step.
  package let audio: AudioBuffer
  /// Number of the first sample.
  package private(set) var start: Int64
  /// Updates inside the block, by time.
  package private(set) var updates: [ObjectUpdate] = []
  /// Motion of each plane's object at ``start``, before any update there; `nil` for a plane that isn't
  /// an object's. Empty for a programme without objects.
  package private(set) var motions: [ObjectMotion?]
  /// Whether all objects rest at ``start``. While nothing moves, cuts and joins needn't look at each of them.
  private var rests = true

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
  /// Number of the sample after the last one.
  package var end: Int64 { start + Int64(frames) }
  /// Planes that hold an object.
  package var objectPlanes: [Int] { motions.indices.filter { motions[$0] != nil } }

  /// Motion of the object in `plane` at sample `position` (`start ≤ position ≤ end`), updates at that
  /// sample included; `nil` for a plane that isn't an object's.
  package func motion(of plane: Int, at position: Int64) -> ObjectMotion? {
    motions.indices.contains(plane) ? motions(at: position, until: position)[plane] : nil
  }

  /// Adds an update inside the block, after those at the same sample.
  package func add(_ update: ObjectUpdate) {
    precondition(
      motions.indices.contains(update.plane) && motions[update.plane] != nil,
      "the plane isn't an object's")
    precondition(update.at >= start && update.at < end, "the update lies outside the block")
    let place = updates.lastIndex { $0.at <= update.at }.map { $0 + 1 } ?? 0
    updates.insert(update, at: place)
  }

  /// Appends `range` (in samples from the other's first, all for `nil`) of a block with the same
  /// planes, and its updates, renumbered to this block's samples. An object whose motion at the seam isn't
  /// the same in both blocks gets an update there, which brings the other block's motion.
  package func append(_ other: ProgrammeBlock, range: Range<Int>? = nil) {
    let range = range ?? 0..<other.frames
    // Without a sample there may be no update either: it would lie behind the block's end.
    guard !range.isEmpty else { return }
    if !motions.isEmpty { appendUpdates(of: other, range) }
    audio.append(other.audio, range: range)
  }

  /// Appends all of a block with the same planes and leaves nothing in it. If this block is empty,
  /// the samples aren't copied.
  package func take(_ other: ProgrammeBlock) {
    let count = other.frames
    guard frames == 0, count > 0 else {
      append(other)
      return other.removeAll()
    }
    if !motions.isEmpty { appendUpdates(of: other, 0..<count) }
    audio.exchange(with: other.audio)
    other.pass(count)
    other.audio.removeAll()
  }

  /// Appends `count` samples of silence, in which all objects keep the state they have reached. A ramp
  /// that is under way stops for the silence; the block appended next brings its own motions.
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

  /// Drops the first `count` samples and keeps the objects' motions at the cut.
  package func removeFirst(_ count: Int) {
    pass(count)
    audio.removeFirst(count)
  }

  /// Drops all samples and keeps the objects' motions behind them; the next sample has number ``end``.
  package func removeAll() {
    pass(frames)
    audio.removeAll()
  }

  /// Keeps only the first `count` samples and the updates in them.
  package func truncate(to count: Int) {
    audio.truncate(to: count)
    updates.removeAll { $0.at >= end }
  }

  /// Moves ``start`` forward by `count` samples.
  private func pass(_ count: Int) {
    let cut = start + Int64(count)
    if !motions.isEmpty, !isStill {
      // Updates at the cut itself stay in the list, so the motions mustn't include them yet.
      motions = motions(at: cut, until: cut - 1)
      updates.removeAll { $0.at < cut }
      rests = motions.allSatisfy { $0?.isResting ?? true }
    }
    start = cut
  }

  /// Whether no object moves in the block.
  private var isStill: Bool { rests && updates.isEmpty }

  /// Motions of all planes' objects at `position`, by the updates up to and including sample `last`.
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
    if isStill, other.isStill, motions == other.motions {
      // Sharing the array makes the next comparison short.
      motions = other.motions
      return
    }
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

/// Samples that can be joined and cut.
package protocol SampleBlock: AnyObject {
  /// Number of samples.
  var frames: Int { get }

  /// Appends `range`, or all for `nil`, of another block with the same planes.
  func append(_ other: Self, range: Range<Int>?)

  /// Drops the first `count` samples.
  func removeFirst(_ count: Int)

  /// Drops all samples.
  func removeAll()
}

extension AudioBuffer: SampleBlock {}
extension ProgrammeBlock: SampleBlock {}

/// Cuts what comes in pieces of any size into blocks of one size, counted from the first sample.
package struct BlockCutter<Block: SampleBlock> {
  private let size: Int?
  private let pending: Block
  private let block: Block

  private init(size: Int?, pending: Block, block: Block) {
    precondition(size.map { $0 > 0 } ?? true, "blocks hold samples")
    self.size = size
    self.pending = pending
    self.block = block
  }

  /// Hands on `fresh` in whole blocks, and keeps the rest.
  /// - Throws: what `consume` throws.
  package func push(_ fresh: Block, _ consume: (Block) throws -> Void) throws {
    guard let size else {
      if fresh.frames > 0 { try consume(fresh) }
      return
    }
    pending.append(fresh, range: nil)
    var position = 0
    while pending.frames - position >= size {
      block.removeAll()
      block.append(pending, range: position..<(position + size))
      position += size
      try consume(block)
    }
    pending.removeFirst(position)
  }

  /// Hands on what is left, a shorter block.
  /// - Throws: what `consume` throws.
  package func flush(_ consume: (Block) throws -> Void) throws {
    if pending.frames > 0 { try consume(pending) }
    pending.removeAll()
  }
}

extension BlockCutter<ProgrammeBlock> {
  /// Cuts `programme` into blocks of `size` samples; `nil` leaves the pieces as they come.
  package init(size: Int?, programme: Programme) {
    self.init(size: size, pending: ProgrammeBlock(programme), block: ProgrammeBlock(programme))
  }
}

extension BlockCutter<AudioBuffer> {
  /// Cuts sound of so many channels into blocks of `size` samples; `nil` leaves the pieces as they come.
  package init(size: Int?, channels: Int) {
    self.init(
      size: size, pending: AudioBuffer(channels: channels), block: AudioBuffer(channels: channels))
  }
}
