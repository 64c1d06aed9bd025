/// Everything a file says about start-up samples and padding, contradictions included.
///
/// MediaIn only gathers these facts; Timeline alone decides which of them holds.
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

  /// The packet table of a Core Audio file.
  package struct PacketTable: Sendable, Equatable {
    /// Start-up samples.
    package var priming: Int64
    /// Samples of the programme.
    package var valid: Int64

    /// A table of these counts.
    package init(priming: Int64, valid: Int64) {
      self.priming = priming
      self.valid = valid
    }
  }

  /// Statements of the frame without sound in front of an MP3's sound.
  package struct InfoFrame: Sendable, Equatable {
    /// Start-up samples, those of the decoder included; `nil` where it states none.
    package var priming: Int64?
    /// Samples of padding at the end of the decode; `nil` where it states none.
    package var padding: Int64?
    /// Frames that follow; `nil` where it doesn't count them.
    package var frames: Int64?
    /// Samples of each frame.
    package var samplesPerFrame: Int64

    /// A frame of these numbers.
    package init(priming: Int64?, padding: Int64?, frames: Int64?, samplesPerFrame: Int64) {
      self.priming = priming
      self.padding = padding
      self.frames = frames
      self.samplesPerFrame = samplesPerFrame
    }

    /// Samples of all frames; `nil` where it doesn't count them.
    package var samples: Int64? { frames.map { $0 * samplesPerFrame } }

    /// Samples of all frames up to the padding; `nil` where it doesn't count them.
    package var soundEnd: Int64? { samples.map { $0 - (padding ?? 0) } }

    /// Samples between start-up and padding; `nil` where it doesn't state all of these.
    package var programmeSamples: Int64? {
      guard let samples, let priming, let padding else { return nil }
      return samples - priming - padding
    }
  }

  /// The container; `nil` for sound that wasn't read from one.
  package var container: ContainerTraits?
  /// The codec.
  package var codec: CodecTraits
  /// The codec's profile, by libavcodec's name; `nil` when it has none.
  package var profile: String?
  /// Edits of the track; empty when there is no edit list.
  package var edits: [Edit] = []
  /// Ticks a second of edit durations.
  package var movieTimescale: Int64 = 1
  /// Ticks a second of edit starts.
  package var mediaTimescale: Int64 = 1
  /// Where the media ends in its own ticks, by the MP4 sample table or the last fragment; `nil` where neither says so.
  package var mediaDuration: Int64?
  /// Whether all samples of the MP4 track but the last have one duration. Where one lasts longer, that end is a time, and
  /// no count of what the samples hold.
  package var hasEvenSamples = true
  /// Whether libavformat wrote the file, and so, in practice, libavcodec encoded the sound.
  package var isByLibAV = false
  /// Apple's gapless tag, as its unparsed text.
  package var iTunSMPB: String?
  /// Pre-skip of an Opus header in samples at 48 kHz (RFC 7845, 5.1).
  package var opusPreSkip: Int?
  /// Matroska's CodecDelay in samples at the track's rate.
  package var codecDelay: Int?

  /// Samples between the first one decoded and the end by the first and last page of Ogg; `nil` for other tracks, and
  /// where the pages contradict each other.
  package var pageSamples: Int64?

  /// Samples of the whole by the header of a bare FLAC stream (RFC 9639, 8.2); `nil` where it leaves that open.
  package var streamSamples: Int64?

  /// The packet table of a Core Audio file.
  package var packetTable: PacketTable?
  /// Samples by the `fact` chunk of a WAV file.
  package var factSamples: Int64?
  /// Samples by the `COMM` chunk of an AIFF file, as far as the file holds them.
  package var commonSamples: Int64?

  /// Which of these facts count, and in which order.
  package var rule: TimeRule { TimeRule.of(container, codec) }

  /// Whether an edit list presents the track from its first sample on.
  package var startsWithFirstSample: Bool { edits.first { $0.mediaTime >= 0 }?.mediaTime == 0 }

  /// Facts of a track of this container and codec.
  package init(container: ContainerTraits?, codec: CodecTraits, profile: String? = nil) {
    self.container = container
    self.codec = codec
    self.profile = profile
  }
}
