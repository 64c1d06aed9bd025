import AudioCore
import LibAV
import MediaIn
import Timeline

/// Everything between the file and the renderer: opened, decoded, trimmed, cut to the range.
final class SourceChain {
  let input: MediaInput
  let media: MediaFile
  let stream: StreamInfo
  let reader: any TrackReader
  let track: TrackSource
  /// What the renderer gets.
  let source: any ProgrammeSource
  /// What every block of the source holds, and what is known of it.
  var programme: Programme { track.programme }
  /// Presentation time of output sample 0, in samples at the source rate.
  let start: Int64
  /// Where output sample 0 lies on the source's own clock, in samples at the source rate.
  let absoluteStart: Int64
  /// Samples the range asks for; `nil` without an end.
  let asked: Int64?
  /// Samples the output will probably have, for progress.
  let expected: Int64?

  init(clip: Clip, input: MediaInput, log: DiagnosticLog) throws {
    self.input = input
    track = try TrackSource(
      input: input, decoding: clip.decoding, priming: clip.priming, gaps: clip.gaps, log: log)
    media = track.first.media
    stream = track.first.stream
    reader = track.first.reader
    let rate = track.programme.sampleRate
    let range = try clip.range.samples(at: rate)
    let plan = track.plan
    let other = media.earliestOtherStart(than: stream).map { $0.samples(at: rate) }
    // An edit list places the track on the movie's own timeline, which begins at 0.
    let zero =
      plan.primingSource == .editList ? min(0, plan.start) : min(plan.start, other ?? plan.start)
    let lead = clip.alignment == .presentation ? plan.start - zero : 0
    absoluteStart = plan.start - lead + range.lowerBound
    start = absoluteStart - zero
    asked = range.upperBound == .max ? nil : range.upperBound - range.lowerBound
    let isWhole = lead == 0 && range.lowerBound == 0 && range.upperBound == .max
    source =
      isWhole
      ? track
      : RangeSource(
        source: track, start: range.lowerBound,
        end: range.upperBound == .max ? nil : range.upperBound, lead: lead)
    expected = track.expectedSamples.map {
      max(0, min($0 + lead, range.upperBound) - range.lowerBound)
    }
  }
}
