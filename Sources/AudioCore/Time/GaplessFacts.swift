/// Everything a file says about start-up samples and padding, unjudged.
///
/// Media input gathers them, the timeline alone draws conclusions.
package struct GaplessFacts: Sendable, Equatable {
  /// One edit of an edit list (ISO/IEC 14496-12, 8.6.6).
  package struct Edit: Sendable, Equatable {
    /// Length in movie ticks; 0 means "to the end".
    package var duration: Int64
    /// Start in media ticks; −1 for an empty edit.
    package var mediaTime: Int64

    /// An edit of `duration` movie ticks from `mediaTime` media ticks.
    package init(duration: Int64, mediaTime: Int64) {
      self.duration = duration
      self.mediaTime = mediaTime
    }
  }

  /// The container; `nil` for sound that comes from none.
  package var container: ContainerTraits?
  /// The codec.
  package var codec: CodecTraits
  /// Codec profile.
  package var profile: String?
  /// Edits of the track; empty when there is no edit list.
  package var edits: [Edit] = []
  /// Ticks a second of edit durations.
  package var movieTimescale: Int64 = 1
  /// Ticks a second of edit starts.
  package var mediaTimescale: Int64 = 1
  /// Apple's gapless tag, as text.
  package var iTunSMPB: String?
  /// Pre-skip of an Opus header, at 48 kHz.
  package var opusPreSkip: Int?
  /// Matroska's CodecDelay in samples.
  package var codecDelay: Int?

  /// Facts of a track of this container and codec.
  package init(container: ContainerTraits?, codec: CodecTraits, profile: String? = nil) {
    self.container = container
    self.codec = codec
    self.profile = profile
  }
}
