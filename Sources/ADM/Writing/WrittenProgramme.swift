// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A programme that ``ADMWriter`` describes.
package struct WrittenProgramme: Sendable, Hashable {
  package var name: String
  /// Its language, as ISO 639 has it; `nil` writes none.
  package var language: String?
  /// Samples per second, at least 1.
  package var sampleRate: Int
  /// Samples of each track, at least 1.
  package var length: Int64
  /// Bits per sample of the file; `nil` writes none.
  package var bitDepth: Int?
  /// Contents of the tracks, in the file's order.
  package var elements: [WrittenElement]

  /// A programme from its values.
  package init(
    name: String, language: String? = nil, sampleRate: Int, length: Int64, bitDepth: Int? = nil,
    elements: [WrittenElement]
  ) {
    self.name = name
    self.language = language
    self.sampleRate = sampleRate
    self.length = length
    self.bitDepth = bitDepth
    self.elements = elements
  }
}

/// Tracks that belong together in a programme that is written.
package enum WrittenElement: Sendable, Hashable {
  /// Channels for loudspeakers, one track each, in the layout's order.
  case bed(name: String, ChannelLayout)
  /// Channels for loudspeakers of their own, one track each, which may be silent or change at times.
  case channels(name: String, [WrittenSpeaker])
  /// An object, one track; its blocks begin later one after the other.
  case object(name: String, [WrittenBlock])
  /// A sound field of `order` 1…6, (order + 1)² tracks in ACN order, SN3D normalised.
  case scene(name: String, order: Int)

  /// Number of tracks.
  package var tracks: Int {
    switch self {
    case .bed(_, let layout): return layout.count
    case .channels(_, let speakers): return speakers.count
    case .object: return 1
    case .scene(_, let order): return (order + 1) * (order + 1)
    }
  }
}

/// A channel for a loudspeaker that is written (DirectSpeakers, ITU-R BS.2076-2, 5.4.3.1).
package struct WrittenSpeaker: Sendable, Hashable {
  package var name: String
  /// States over time: jumps, each to a state whose role is that of a loudspeaker. With gain 0 the channel
  /// is silent.
  package var blocks: [WrittenBlock]

  /// A channel from its values.
  package init(name: String, blocks: [WrittenBlock]) {
    self.name = name
    self.blocks = blocks
  }
}

/// A change of an object that is written.
package struct WrittenBlock: Sendable, Hashable {
  /// First sample that it affects, at least 0; before the first block's an object is silent.
  package var start: Int64
  /// How long before that sample it begins, in samples, 0 to 1: times of metadata may lie between two
  /// samples.
  package var lead: Double
  /// Samples from its beginning until ``state`` is reached; 0 for a jump. The first block's doesn't count.
  /// If the next block begins earlier, it begins from the state that is reached by then.
  package var ramp: Double
  /// The state to reach. Its role is that of a source, or of a loudspeaker in a ``WrittenSpeaker``.
  package var state: ObjectState

  /// A block from its values.
  package init(start: Int64, lead: Double = 0, ramp: Double = 0, state: ObjectState) {
    self.start = start
    self.lead = lead
    self.ramp = ramp
    self.state = state
  }
}

extension WrittenProgramme {
  /// Makes what is written of `programme`, whose tracks have `length` samples; `updates` are those of each plane,
  /// on a clock whose sample 0 is the first one.
  ///
  /// Channels for loudspeakers that follow one another and belong to the same pack become one group.
  package init(
    name: String, _ programme: Programme, updates: [[ObjectUpdate]], length: Int64,
    bitDepth: Int? = nil
  ) {
    self.init(
      name: name, language: programme.facts.language, sampleRate: programme.sampleRate,
      length: length, bitDepth: bitDepth,
      elements: [])
    var group = ChannelGroup()
    var plane = 0
    for element in programme.elements {
      if case .object(let name, let start) = element {
        let blocks = WrittenBlock.list(from: start, updates: updates[plane], plane: plane)
        let name = name ?? "Object \(plane + 1)"
        if case .speaker(let channel) = start.rules.role {
          if !group.takes(channel, named: name) { append(&group) }
          group.add(channel, WrittenSpeaker(name: name, blocks: blocks))
        } else {
          append(&group)
          elements.append(.object(name: name, blocks))
        }
      } else {
        append(&group)
        switch element {
        case .bed(let layout): elements.append(.bed(name: layout.name, layout))
        case .scene(let order): elements.append(.scene(name: "Sound field", order: order))
        case .object: break
        }
      }
      plane += element.planes
    }
    append(&group)
  }

  private mutating func append(_ group: inout ChannelGroup) {
    if let element = group.element { elements.append(element) }
    group = ChannelGroup()
  }
}

/// Channels for loudspeakers that belong together.
private struct ChannelGroup {
  private var channels: [SpeakerChannel] = []
  private var speakers: [WrittenSpeaker] = []
  /// Name of the group. Readers put it before the names of its channels.
  private var name = ""

  /// Whether `channel` can be one of them: it belongs to the same pack and object, and no loudspeaker occurs
  /// twice.
  func takes(_ channel: SpeakerChannel, named text: String) -> Bool {
    guard let first = channels.first else { return true }
    return first.pack == channel.pack && ChannelGroup.parts(text).group == name
      && !channels.contains { !$0.labels.isEmpty && $0.labels == channel.labels }
  }

  mutating func add(_ channel: SpeakerChannel, _ speaker: WrittenSpeaker) {
    let parts = ChannelGroup.parts(speaker.name)
    name = parts.group
    channels.append(channel)
    speakers.append(WrittenSpeaker(name: parts.channel, blocks: speaker.blocks))
  }

  /// The group; `nil` when it is empty.
  var element: WrittenElement? {
    speakers.isEmpty ? nil : .channels(name: name, speakers)
  }

  /// The name of the object before the name of its channel, e.g. `Bed, Left`.
  private static func parts(_ name: String) -> (group: String, channel: String) {
    let parts = name.split(separator: ",", maxSplits: 1)
    guard parts.count == 2, parts[1].hasPrefix(" ") else { return ("", name) }
    return (String(parts[0]), String(parts[1].dropFirst()))
  }
}

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
