import AudioCore

/// A programme's planes, sorted by how they are rendered.
struct SceneElements {
  /// A channel that doesn't move.
  struct Channel {
    var plane: Int
    var direction: Direction
  }

  /// Channels of beds.
  private(set) var channels: [Channel] = []
  /// LFE channels of beds.
  private(set) var bass: [Int] = []
  /// Objects.
  private(set) var objects: [Int] = []
  /// Start states of ``objects``.
  private(set) var starts: [ObjectState] = []
  /// Sound fields.
  private(set) var fields: [(first: Int, order: Int)] = []

  /// Most planes that a programme may have.
  static let limit = 1024

  /// The planes of `programme`; channels of beds where `positions` puts them.
  /// - Throws: ``MediaError``: `unsupportedFeature` for more than 1,024 planes, `layoutUnknown` for
  ///   none, `usage` for positions of channels that a layout lacks.
  init(_ programme: Programme, _ positions: SpeakerPositions) throws {
    let planes = programme.planes
    guard planes <= SceneElements.limit else {
      throw MediaError(
        .unsupportedFeature,
        "at most \(SceneElements.limit) tracks can be rendered together, not \(planes)")
    }
    guard planes > 0 else {
      throw MediaError(.layoutUnknown, "binaural rendering needs at least one channel or object")
    }
    var plane = 0
    for element in programme.elements {
      switch element {
      case .bed(let layout): try add(layout, at: plane, positions)
      case .object(_, let start):
        objects.append(plane)
        starts.append(start)
      case .scene(let order): fields.append((plane, order))
      }
      plane += element.planes
    }
  }

  /// Whether something may go to the low-pass of LFE channels. An object may become an LFE channel by an
  /// update, but no format has that.
  var hasBass: Bool {
    !bass.isEmpty
      || starts.contains { state in
        if case .speaker(let channel) = state.rules.role { return channel.isLFE }
        return false
      }
  }

  private mutating func add(
    _ layout: ChannelLayout, at plane: Int, _ positions: SpeakerPositions
  ) throws {
    let directions = try positions.directions(in: layout)
    for (index, speaker) in layout.speakers.enumerated() {
      if speaker.isLFE {
        bass.append(plane + index)
      } else {
        channels.append(Channel(plane: plane + index, direction: directions[index]))
      }
    }
  }
}
