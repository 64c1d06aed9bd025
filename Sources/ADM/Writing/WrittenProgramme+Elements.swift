import AudioCore

extension WrittenProgramme {
  /// What is written of `programme`, whose tracks have `length` samples; `updates` are those of each plane,
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
          if !group.takes(channel) { append(&group) }
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

  /// Whether `channel` can be one of them: no loudspeaker occurs twice.
  func takes(_ channel: SpeakerChannel) -> Bool {
    guard let first = channels.first else { return true }
    return first.pack == channel.pack
      && !channels.contains { !$0.labels.isEmpty && $0.labels == channel.labels }
  }

  mutating func add(_ channel: SpeakerChannel, _ speaker: WrittenSpeaker) {
    channels.append(channel)
    speakers.append(speaker)
  }

  /// The group. Readers put the group's name before those of its channels; where it stands there already,
  /// it is taken away.
  var element: WrittenElement? {
    guard let first = speakers.first else { return nil }
    let parts = first.name.split(separator: ",", maxSplits: 1)
    guard parts.count == 2, speakers.allSatisfy({ $0.name.hasPrefix(parts[0] + ", ") }) else {
      return .channels(name: "Bed", speakers)
    }
    let short = speakers.map { speaker in
      WrittenSpeaker(
        name: String(speaker.name.dropFirst(parts[0].count + 2)), blocks: speaker.blocks)
    }
    return .channels(name: String(parts[0]), short)
  }
}
