import AudioCore

/// The format of decoded frames.
struct TrackFormat: Equatable {
  /// Hz.
  var sampleRate: Int
  /// What the channels are: a bed or a sound field.
  var content: Programme.Element

  /// Number of channels.
  var channels: Int { content.planes }

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
