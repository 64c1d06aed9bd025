import AudioCore

/// The loudspeakers that an input is played on, for formats that hold mixes of their own for some.
package enum PlaybackLayout: Sendable, Hashable {
  /// All channels are needed, for headphones or to be kept.
  case all
  /// Only loudspeakers of this layout; `followsFile` where the file's own downmix is asked for.
  case only(ChannelLayout, followsFile: Bool)
  /// Several layouts, all of which one decode has to serve.
  case several
}
