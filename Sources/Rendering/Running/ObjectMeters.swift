// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Report

/// Measures the sound of each object and loudspeaker channel of a programme as its file has it: with its gain, before
/// it is panned. Beds and sound fields aren't measured.
final class ObjectMeters {
  /// Planes that are measured.
  private let planes: [Int]
  /// The element of each of ``planes``.
  private let elements: [Int]
  /// Number of all elements.
  private let count: Int
  private let levels: ChannelLevels
  private let scaled: AudioBuffer

  /// Meters for the objects of `programme`; `nil` where it has none, or a rate at which loudness isn't measured.
  init?(_ programme: Programme) {
    var (planes, elements, plane): ([Int], [Int], Int) = ([], [], 0)
    for (number, element) in programme.elements.enumerated() {
      if case .object = element {
        planes.append(plane)
        elements.append(number)
      }
      plane += element.planes
    }
    guard !planes.isEmpty,
      let levels = try? ChannelLevels(channels: planes.count, sampleRate: programme.sampleRate)
    else { return nil }
    (self.planes, self.elements, self.levels) = (planes, elements, levels)
    count = programme.elements.count
    scaled = AudioBuffer(channels: planes.count)
  }

  /// Measures the next block.
  func add(_ block: ProgrammeBlock) {
    guard block.frames > 0 else { return }
    scaled.removeAll()
    scaled.grow(by: block.frames)
    let motions = block.motions
    let updates = Dictionary(grouping: block.updates, by: \.plane)
    var sources: [UnsafePointer<Float>] = []
    sources.reserveCapacity(planes.count)
    for (number, plane) in planes.enumerated() {
      guard let from = block.audio.channel(plane).baseAddress,
        let to = scaled.channel(number).baseAddress, let motion = motions[plane]
      else { return }
      let changes = updates[plane] ?? []
      // Most objects have the gain 1 throughout a block and needn't be copied.
      if ObjectMeters.isPlain(motion, changes, from: block.start) {
        sources.append(UnsafePointer(from))
      } else {
        ObjectMeters.follow(motion, changes, in: block, from, to)
        sources.append(UnsafePointer(to))
      }
    }
    levels.add(sources, count: block.frames)
  }

  /// Whether an object has the gain 1 from sample `start` on: it rests, or jumps to a state there and rests.
  private static func isPlain(
    _ motion: ObjectMotion, _ updates: [ObjectUpdate], from start: Int64
  ) -> Bool {
    guard let last = updates.last else { return motion.isResting && motion.target.gain == 1 }
    return updates.count == 1 && last.at == start && last.ramp == 0 && last.state.gain == 1
  }

  /// Copies the object in `plane` of `block` with its gain; a plane that isn't an object's as it is.
  static func copy(_ plane: Int, of block: ProgrammeBlock, to: UnsafeMutablePointer<Float>) {
    guard let from = block.audio.channel(plane).baseAddress else { return }
    guard block.motions.indices.contains(plane), let motion = block.motions[plane] else {
      return to.update(from: from, count: block.frames)
    }
    follow(motion, block.updates.filter { $0.plane == plane }, in: block, from, to)
  }

  /// Copies a plane of `block` with its gain.
  private static func follow(
    _ before: ObjectMotion, _ updates: [ObjectUpdate], in block: ProgrammeBlock,
    _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>
  ) {
    var (motion, position) = (before, 0)
    func pass(_ end: Int) {
      guard end > position else { return }
      copy(from, to, position..<end, motion)
      motion = motion.advanced(by: end - position)
      position = end
    }
    for update in updates {
      pass(Int(update.at - block.start))
      motion = update.motion(after: motion)
    }
    pass(block.frames)
  }

  /// Copies samples with the gain of `motion`, which holds at the first of them.
  private static func copy(
    _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ range: Range<Int>,
    _ motion: ObjectMotion
  ) {
    let (first, last) = (motion.origin.gain, motion.target.gain)
    guard !motion.isResting, first != last else { return scale(from, to, range, Float(last)) }
    for index in range {
      let passed = Double(motion.elapsed + index - range.lowerBound) + motion.lead
      to[index] = Float(first + (last - first) * min(1, passed / motion.ramp)) * from[index]
    }
  }

  private static func scale(
    _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ range: Range<Int>,
    _ gain: Float
  ) {
    for index in range { to[index] = gain * from[index] }
  }

  /// Puts what was measured into the facts of a programme's elements, of which there is one for each; else the
  /// levels would be those of other objects. Call once, after the last block.
  func finish(into scene: inout [ObjectReport]?) {
    guard scene?.count == count else { return }
    for (number, levels) in zip(elements, levels.finish()) {
      scene?[number].samplePeak = levels.samplePeak
      scene?[number].integrated = levels.integrated
    }
  }
}
