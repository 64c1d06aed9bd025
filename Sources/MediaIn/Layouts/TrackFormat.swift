import AudioCore

/// The format of decoded frames.
struct TrackFormat: Equatable {
  /// Hz.
  var sampleRate: Int
  /// What the channels are: a bed or a sound field.
  var content: Programme.Element
  /// Whether two channels follow that don't turn with the head.
  var hasHeadLockedStereo = false

  /// Number of channels.
  var channels: Int { content.planes + (hasHeadLockedStereo ? 2 : 0) }

  /// Contents of the programme, plane by plane.
  var elements: [Programme.Element] {
    [content] + (hasHeadLockedStereo ? TrackFormat.headLockedStereo : [])
  }

  /// Left and right of a pair of loudspeakers in front, which headphones get as they are, at their ears.
  private static let headLockedStereo = [("left", 30.0), ("right", -30.0)].map { name, azimuth in
    Programme.Element.object(
      name: "head-locked \(name)",
      start: ObjectState(
        position: .polar(Direction(azimuth: azimuth), distance: 1),
        rules: ObjectRules(headphones: .off, isHeadLocked: true)))
  }

  /// The format of loudspeaker channels; `nil` for a sound field.
  var bed: AudioFormat? {
    guard case .bed(let layout) = content else { return nil }
    return AudioFormat(sampleRate: sampleRate, layout: layout)
  }

  /// A format of what `content` holds, at `sampleRate` Hz.
  init(sampleRate: Int, content: Programme.Element) {
    self.sampleRate = sampleRate
    self.content = content
  }

  /// The format of loudspeaker channels.
  init(sampleRate: Int, layout: ChannelLayout) {
    self.init(sampleRate: sampleRate, content: .bed(layout))
  }
}
