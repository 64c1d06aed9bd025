import AudioCore
import LibAV
import MediaIn
import Report
import Timeline

extension MediaInput: ClipInput {
  func isInput(_ path: String) -> Bool { file.isSameFile(as: path) }

  var coded: MediaInput? { self }

  func open(_ clip: Clip, log: DiagnosticLog) throws -> any OpenedClip {
    try MediaClip(clip, input: self, log: log)
  }
}

/// Everything between a media file and the renderer: opened, decoded, trimmed, cut to the range.
final class MediaClip: OpenedClip {
  private let track: TrackSource
  let facts: RenderReport.Input
  let beside: ClipMedia?
  let source: any ProgrammeSource
  /// Seconds before a range that are worth being left out, or a remark that they can't be.
  private static let lateStart: Int64 = 10
  let start: Int64
  let absoluteStart: Int64
  let asked: Int64?
  let expected: Int64?

  /// Opens the track that `clip` asks for.
  /// - Throws: ``MediaError``.
  init(_ clip: Clip, input: MediaInput, log: DiagnosticLog) throws {
    track = try TrackSource(
      input: input, decoding: clip.decoding, priming: clip.priming, gaps: clip.gaps, log: log)
    track.noteObjects(log)
    facts = try InputFacts.report(track, of: input)
    let media = track.first.media
    beside = ClipMedia(media: media, presentation: input.presentation)
    let rate = track.programme.sampleRate
    let range = try clip.range.samples(at: rate)
    let plan = track.plan
    let other = media.earliestOtherStart(than: track.first.stream).map { $0.samples(at: rate) }
    // An edit list places the track on the movie's own timeline, which begins at 0.
    let zero = plan.isPlacedByEdits ? min(0, plan.start) : min(plan.start, other ?? plan.start)
    let lead = clip.alignment == .presentation ? plan.start - zero : 0
    absoluteStart = plan.start - lead + range.lowerBound
    start = absoluteStart - zero
    asked = range.upperBound == .max ? nil : range.upperBound - range.lowerBound
    if lead == 0 && range.lowerBound == 0 && range.upperBound == .max {
      source = track
    } else {
      let part = RangeSource(
        source: track, start: range.lowerBound,
        end: range.upperBound == .max ? nil : range.upperBound, lead: lead)
      try MediaClip.enter(part, of: track, at: range.lowerBound - lead, log)
      source = part
    }
    expected = track.expectedSamples.map {
      max(0, min($0 + lead, range.upperBound) - range.lowerBound)
    }
  }

  /// Leaves out what lies before a range that begins at sample `start` of `track`, where that changes no bit
  /// of it.
  private static func enter(
    _ part: RangeSource, of track: TrackSource, at start: Int64, _ log: DiagnosticLog
  ) throws {
    let rate = Int64(track.programme.sampleRate)
    guard start >= MediaClip.lateStart * rate else { return }
    let skipped = try part.skipToStart()
    guard skipped == 0 else {
      let time = MediaTime(ticks: skipped, rate: rate)
      return log.decide(
        .rangeStart, "\(time)",
        why: "decoding begins there and gives the same samples; what lies before isn't checked for "
          + "damage")
    }
    log.decide(
      .rangeStart, "the beginning of the track",
      why: "entered later, this track of \(track.first.stream.codec) in "
        + "\(track.first.media.format.name) might give other samples, so all before the range is decoded"
    )
  }

  func scene() throws -> [ObjectReport]? { try InputFacts.scene(track) }

  var tags: MediaTags { track.first.tags }

  var summary: TimelineSummary { track.summary }

  var downmixChange: Int64? { track.downmixChange }

  /// Samples that the header promises and the decode lacks; 0 where the clock's uncertainty
  /// explains the difference.
  var missing: Int64 {
    let reader = track.first.reader
    guard let declared = reader.track.declaredSamples else { return 0 }
    let done = track.first.trimmed.summary
    // Samples that an edit list or a header doesn't present aren't missed.
    if let valid = track.plan.validSamples, done.valid >= valid - track.plan.validTolerance {
      return 0
    }
    // A length by the clock is wrong by as much as the clock was.
    guard let lead = track.plan.bound == nil ? done.clockLead : 0 else { return 0 }
    let missing = declared - lead - done.skipped - done.decoded
    return missing > reader.timestampTolerance ? missing : 0
  }
}
