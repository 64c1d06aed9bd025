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
