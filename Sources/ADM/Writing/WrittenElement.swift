import AudioCore

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
