import AudioCore
import LibAV
import MediaIn
import Report

/// An input of which clips are opened.
protocol ClipInput: RenderInput {
  /// Opens what `clip` asks for.
  /// - Throws: ``MediaError`` when its sound can't be read.
  func open(_ clip: Clip, log: DiagnosticLog) throws -> any OpenedClip
}

/// A clip that has been opened: its sound, and the facts about it.
protocol OpenedClip: AnyObject {
  /// The input as reports list it.
  var facts: RenderReport.Input { get }
  /// Tags of the container and the track.
  var tags: MediaTags { get }
  /// Delivers the samples of the range.
  var source: any ProgrammeSource { get }
  /// Presentation time of output sample 0, in samples at the source rate.
  var start: Int64 { get }
  /// Where output sample 0 lies on the source's own clock, in samples at the source rate.
  var absoluteStart: Int64 { get }
  /// Samples the range asks for; `nil` without an end.
  var asked: Int64? { get }
  /// Samples the output will probably have, for progress.
  var expected: Int64? { get }
  /// What is known of the elements of its programme so far: some decoders learn of changes as they go on. `nil`
  /// for a bed alone.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  func scene() throws -> [ObjectReport]?
  /// What the timeline did so far.
  var summary: TimelineSummary { get }
  /// Samples before the programme's own downmix first differs from that in its facts; `nil` when it
  /// never does.
  var downmixChange: Int64? { get }
  /// Samples that the header promises and the decode of the whole file lacks; 0 for none.
  var missing: Int64 { get }
  /// What can be carried over besides the sound; `nil` where there is nothing.
  var beside: ClipMedia? { get }
}

/// What an input holds besides the sound.
struct ClipMedia {
  /// Its container.
  let media: MediaFile
  /// The playlist that it was opened by; `nil` for a file.
  let presentation: StreamPresentation?
}

extension OpenedClip {
  /// The name of its track in a container of several; `nil` without one.
  var title: String? {
    guard let media = beside?.media else { return nil }
    return media.streams.first { $0.index == facts.stream }.flatMap { media.title(of: $0) }
  }

  /// What the renderers get.
  var programme: Programme { source.programme }
}

/// Opens the input of a clip: the one place that lists the kinds of inputs.
struct ClipOpener {
  let log: DiagnosticLog
  let isCancelled: () -> Bool

  /// The input of `clip`.
  /// - Throws: ``MediaError`` when it isn't there or can't be read.
  func input(of clip: Clip) throws -> any RenderInput {
    let queues = QueueOpener(clip: clip, log: log, isCancelled: isCancelled)
    switch clip.input {
    case .queue(let queue): return queues.input(queue)
    case .file(let path):
      if let queue = try queues.open(path) { return queue }
      return try MediaInput(
        path: path, track: clip.decoding.track, bounds: clip.decoding.bounds, log: log,
        isCancelled: isCancelled)
    case .silence(let silence): return try SilenceClip(silence, clip: clip, log: log)
    case .standardStream: return MediaInput(file: try JobFiles.bufferedStandardInput())
    }
  }
}

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

/// Turns an opened track into its part of a report.
package enum InputFacts {
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  package static func report(
    _ track: TrackSource, of input: MediaInput
  ) throws -> RenderReport.Input {
    let (media, stream) = (track.first.media, track.first.stream)
    let facts = track.programme.facts
    var report = RenderReport.Input(
      path: input.name, container: container(input, media), stream: stream.index,
      codec: stream.codec,
      profile: stream.profile, layout: layout(of: track.programme),
      rate: track.programme.sampleRate, language: facts.language,
      dialnorm: facts.dialnorm, drc: facts.hasDynamicRange, objects: facts.objects.rawValue)
    report.objectCoding = track.first.reader.track.objectCoding.map { coding in
      ObjectCodingReport(
        complexity: coding.complexity, bed: coding.bed?.name, objects: coding.objects,
        downmix: coding.downmix, updatesPerSecond: coding.updatesPerSecond)
    }
    report.undecoded = facts.undecoded
    report.scene = try scene(track)
    return report
  }

  /// What is known of the elements of a track so far; `nil` for a bed alone.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  static func scene(_ track: TrackSource) throws -> [ObjectReport]? {
    let objects = try track.first.reader.objects()
    let rate = Double(track.programme.sampleRate)
    return objects.isEmpty ? nil : objects.map { ObjectReport($0, rate: rate) }
  }

  /// Name of the layout of a programme that is one bed, else its contents in words.
  private static func layout(of programme: Programme) -> String {
    programme.bedFormat?.layout.name ?? programme.contents
  }

  /// Name of the container: of several, that of what holds them together.
  package static func container(_ input: MediaInput, _ media: MediaFile) -> String {
    (input.presentation == nil ? media.format : .hls).token
  }
}

extension ObjectReport {
  /// What is known of an object of a track at `rate` Hz.
  init(_ facts: ObjectFacts, rate: Double) {
    self.init(
      name: facts.name, type: facts.kind.rawValue, tracks: facts.tracks.map { $0 + 1 },
      start: facts.start.map { Double($0) / rate }, end: facts.end.map { Double($0) / rate },
      changes: facts.changes)
    id = facts.id
    kinds = facts.kinds.isEmpty ? nil : facts.kinds
    interaction = facts.interaction
    guard !facts.least.isEmpty else { return }
    coordinates = facts.isCartesian ? "cartesian" : "polar"
    (least, greatest) = (facts.least, facts.greatest)
    path = facts.path.map { point in
      Point(
        seconds: Double(point.at) / rate, position: point.position.coordinates, gain: point.gain)
    }
  }
}

extension RenderReport.Timeline {
  /// What the timeline did to a track at `rate` Hz of which `out` samples were delivered from `start` on.
  init(_ done: TimelineSummary, start: Int64, rate: Int, out: Int64) {
    self.init(
      priming: Priming(
        samples: done.plan.priming, source: done.plan.primingSource?.rawValue ?? "unknown"),
      padding: done.endTrim, paddingSource: done.plan.paddingSource.rawValue,
      start: Start(samples: start, rate: rate),
      samplesIn: done.decoded, samplesOut: out,
      gaps: done.gaps.map {
        Gap(kind: $0.kind.rawValue, position: $0.position, samples: $0.samples)
      })
  }
}
