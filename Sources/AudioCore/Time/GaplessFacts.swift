// SPDX-License-Identifier: Apache-2.0

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
  package var codec: CodecTraits
  /// The codec's profile, by libavcodec's name; `nil` when it has none.
  package var profile: String?
  /// Edits of the track; empty when there is no edit list.
  package var edits: [Edit] = []
  /// Ticks a second of edit durations.
  package var movieTimescale: Int64 = 1
  /// Ticks a second of edit starts.
  package var mediaTimescale: Int64 = 1
  /// End of the media in its own ticks, by the MP4 sample table or the last fragment; `nil` where neither says so.
  package var mediaDuration: Int64?
  /// Whether all samples of the MP4 track but the last have one duration. If one lasts longer, that end is a time, and
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

  /// Rule that says which of these facts count, and in which order.
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

/// The meaning of an edit list for one audio track, in samples.
///
/// Supported: any empty edits, then one run of media (several edits are joined where the media goes
/// on without a seam).
package struct EditTimeline: Equatable {
  /// Media position of the first presented sample.
  package let mediaStart: Int64
  /// Silence before it on the presentation timeline.
  package let emptyLead: Int64
  /// Presented samples; `nil` when the edit reaches to the end.
  package let length: Int64?
  /// Uncertainty of `length`: one tick of the movie's clock, in samples.
  package let lengthTick: Int64

  /// Seconds (eight years) beyond which a time in an edit list is garbage. The bound also keeps
  /// every calculation below inside 64 bits.
  private static let longest: Int64 = 1 << 28

  /// Interprets the edits of `facts` at `rate` Hz; `nil` without an edit list, and where it is ignored, which `log` reports.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for media edits that jump.
  package init?(_ facts: GaplessFacts, rate: Int, log: DiagnosticLog) throws {
    guard !facts.edits.isEmpty else { return nil }
    if let flaw = EditTimeline.flaw(in: facts) {
      log.degrade(.editListIgnored, "the edit list has \(flaw), so it is ignored")
      return nil
    }
    let media = facts.edits.filter { $0.mediaTime >= 0 }
    guard let first = media.first, let last = media.last else {
      log.degrade(.editListIgnored, "the edit list presents no media, so it is ignored")
      return nil
    }
    try EditTimeline.requireOneRun(facts)
    let lead = facts.edits.prefix { $0.mediaTime < 0 }.reduce(0) { $0 + $1.duration }
    let rate = Int64(rate)
    mediaStart = MediaTime.rescale(first.mediaTime, by: rate, over: facts.mediaTimescale)
    emptyLead = MediaTime.rescale(lead, by: rate, over: facts.movieTimescale)
    // The start of the last edit is exact; only its own duration is as coarse as the movie's clock.
    let before = MediaTime.rescale(
      last.mediaTime - first.mediaTime, by: rate, over: facts.mediaTimescale)
    length =
      last.duration == 0
      ? nil : before + MediaTime.rescale(last.duration, by: rate, over: facts.movieTimescale)
    lengthTick = (rate + facts.movieTimescale - 1) / facts.movieTimescale
  }

  /// Flaw that makes the whole list unusable, if any.
  private static func flaw(in facts: GaplessFacts) -> String? {
    var total: Int64 = 0
    let longestMovie = longest.multipliedReportingOverflow(by: facts.movieTimescale)
    let longestMedia = longest.multipliedReportingOverflow(by: facts.mediaTimescale)
    guard !longestMovie.overflow, !longestMedia.overflow else { return "an implausible clock" }
    for edit in facts.edits {
      if edit.mediaTime < -1 { return "a negative media time" }
      let sum = total.addingReportingOverflow(edit.duration)
      guard edit.duration >= 0, !sum.overflow, sum.partialValue <= longestMovie.partialValue,
        edit.mediaTime <= longestMedia.partialValue
      else { return "an implausible time" }
      total = sum.partialValue
    }
    return nil
  }

  /// Checks that the media edits go on from one to the next without seam or pause.
  private static func requireOneRun(_ facts: GaplessFacts) throws {
    let mediaTicks = { (movie: Int64) in
      MediaTime.rescale(movie, by: facts.mediaTimescale, over: facts.movieTimescale)
    }
    var previous: GaplessFacts.Edit?
    var pause: Int64 = 0
    for edit in facts.edits {
      guard edit.mediaTime >= 0 else {
        pause += edit.duration
        continue
      }
      if let previous {
        let seam = edit.mediaTime - (previous.mediaTime + mediaTicks(previous.duration))
        guard previous.duration > 0, pause == 0, seam.magnitude <= UInt64(max(1, mediaTicks(1)))
        else {
          throw MediaError(
            .unsupportedFeature,
            "the edit list rearranges the audio (edit at media time \(edit.mediaTime)), which "
              + "isn't supported; remux the file without edits")
        }
      }
      previous = edit
      pause = 0
    }
  }
}
