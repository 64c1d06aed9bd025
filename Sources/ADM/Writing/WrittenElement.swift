import AudioCore

/// Tracks that belong together in a programme that is written.
package enum WrittenElement: Sendable, Hashable {
  /// Channels for loudspeakers, one track each, in the layout's order.
  case bed(name: String, ChannelLayout)
  /// An object, one track; its blocks begin later one after the other.
  case object(name: String, [WrittenBlock])
  /// A sound field of `order` 1…6, (order + 1)² tracks in ACN order, SN3D normalised.
  case scene(name: String, order: Int)

  /// Number of tracks.
  package var tracks: Int {
    switch self {
    case .bed(_, let layout): return layout.count
    case .object: return 1
    case .scene(_, let order): return (order + 1) * (order + 1)
    }
  }
}
