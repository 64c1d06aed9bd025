/// Everything a file says about start-up samples and padding, unjudged.
///
/// Media input gathers them, the timeline alone draws conclusions.
public struct GaplessFacts: Sendable, Equatable {
  /// One edit of an edit list (ISO/IEC 14496-12, 8.6.6).
  public struct Edit: Sendable, Equatable {
    /// Length in movie ticks; 0 means "to the end".
    public var duration: Int64
    /// Start in media ticks; −1 for an empty edit.
    public var mediaTime: Int64

    /// An edit of `duration` movie ticks from `mediaTime` media ticks.
    public init(duration: Int64, mediaTime: Int64) {
      self.duration = duration
      self.mediaTime = mediaTime
    }
  }

  /// Demuxer name.
  public var container: String
  /// Codec name.
  public var codec: String
  /// Codec profile.
  public var profile: String?
  /// Edits of the track; empty when there is no edit list.
  public var edits: [Edit] = []
  /// Ticks a second of edit durations.
  public var movieTimescale: Int64 = 1
  /// Ticks a second of edit starts.
  public var mediaTimescale: Int64 = 1
  /// Apple's gapless tag, as text.
  public var iTunSMPB: String?
  /// Pre-skip of an Opus header, at 48 kHz.
  public var opusPreSkip: Int?
  /// Matroska's CodecDelay in samples.
  public var codecDelay: Int?

  /// Facts of a track of this container and codec.
  public init(container: String, codec: String, profile: String? = nil) {
    self.container = container
    self.codec = codec
    self.profile = profile
  }
}
