import AudioCore

/// What one plane of a programme holds.
enum PlaneContent: Equatable, CustomStringConvertible {
  /// A channel of a bed.
  case channel(BedChannel)
  /// An object, or a loudspeaker's channel that may change.
  case object
  /// A component of a sound field: its ACN, the field's order, and which of the programme's fields it is.
  case component(Int, order: Int, field: Int)

  /// What each plane of `programme` holds.
  static func list(_ programme: Programme) -> [PlaneContent] {
    var (planes, fields): ([PlaneContent], Int) = ([], 0)
    for element in programme.elements {
      switch element {
      case .bed(let layout):
        planes += layout.speakers.indices.map { .channel(BedChannel($0, of: layout)) }
      case .object: planes.append(.object)
      case .scene(let order):
        planes += (0..<element.planes).map { .component($0, order: order, field: fields) }
        fields += 1
      }
    }
    return planes
  }

  /// The content in words.
  var description: String {
    switch self {
    case .channel(let channel): return "the channel \(channel.label)"
    case .object: return "an object"
    case .component(let number, let order, _):
      return "component \(number) of a sound field of order \(order)"
    }
  }
}

/// A channel of a bed: the place of its loudspeaker.
struct BedChannel: Equatable {
  /// Name of the loudspeaker by ITU-R BS.2051, e.g. `M+030` or `LFE1`.
  let label: String
  /// Where it stands; `nil` for an LFE channel, which has no place.
  let direction: Direction?

  /// Channel number `index` of `layout`.
  init(_ index: Int, of layout: ChannelLayout) {
    let speaker = layout.speakers[index]
    guard speaker.isLFE else {
      let direction = layout.direction(at: index)
      (label, self.direction) = (direction.label, direction)
      return
    }
    // One LFE channel is the first, whichever loudspeaker it is meant for.
    let isSecond = speaker == .lowFrequency2 && layout.speakers.contains(.lowFrequency)
    (label, direction) = (isSecond ? "LFE2" : "LFE1", nil)
  }

  /// Whether `state` is that of this channel at full level: renderers go by its labels, its place, the bounds
  /// of its place, and whether it is one for low frequencies.
  func isSame(as state: ObjectState) -> Bool {
    guard case .speaker(let channel) = state.rules.role,
      channel.isLFE == (direction == nil),
      channel.labels.isEmpty || channel.labels == [label],
      channel.least == SpeakerChannel.Bounds(), channel.greatest == SpeakerChannel.Bounds(),
      state.gain == 1, !state.rules.isHeadLocked, state.rules.headphones != .off
    else { return false }
    guard let direction else { return true }
    return StateComparison.isNear(state.position, .polar(direction, distance: 1))
  }
}
