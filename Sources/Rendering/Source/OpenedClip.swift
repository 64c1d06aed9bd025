// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import MediaOut
import Report
import Signal

/// A clip that has been opened: its sound, and the facts about it.
struct OpenedClip {
  /// Findings of the read so far.
  struct Progress {
    /// Account of the timeline: samples trimmed, filled and delivered.
    let summary: TimelineSummary
    /// Samples before the programme's own downmix first differs from that in its facts; `nil` when it
    /// never does.
    var downmixChange: Int64?
    /// Samples that the header promises and the decode of the whole file lacks; 0 for none.
    var missing: Int64 = 0
  }

  /// The input as reports list it.
  let facts: RenderReport.Input
  /// Tags of the container and the track.
  var tags = MediaTags()
  /// The name of its track in a container of several; `nil` without one.
  var title: String?
  /// Purposes of its track, apart from the default.
  var roles: OutputTrackFacts.Roles = []
  /// Chunks of WAV that no output has, in words.
  var foreignChunks: [String] = []
  /// Delivers the samples of the range.
  let source: any ProgrammeSource
  /// Samples of the whole track, where its file states or estimates them.
  var length: Int64?
  /// Presentation time of output sample 0, in samples at the source rate.
  var start: Int64 = 0
  /// Place of output sample 0 on the source's own clock, in samples at the source rate.
  var absoluteStart: Int64 = 0
  /// Samples the range asks for; `nil` without an end.
  var asked: Int64?
  /// Samples the output will probably have, for progress.
  let expected: Int64?
  /// The change of its dialogue; `nil` for none.
  var lift: DialogueLift?
  /// Its sound before dialogue or channels are changed; `nil` where they aren't.
  var original: OverheardSource?
  /// Parts that can be carried over besides the sound; `nil` where there are none.
  var beside: ClipMedia?
  let progress: () -> Progress
  /// Facts about the elements of its programme so far: some decoders learn of changes as they go on. `nil`
  /// for a bed alone. Throws ``MediaError`` for objects whose times can't be read.
  var scene: () throws -> [ObjectReport]? = { nil }

  /// Programme for the renderers.
  var programme: Programme { source.programme }
}

/// The parts of an input besides the sound.
struct ClipMedia {
  /// Its container.
  let media: MediaFile
  /// The playlist that it was opened by; `nil` for a file.
  let presentation: StreamPresentation?
}

/// An input before its tracks are chosen: enough to keep outputs from being written over it.
enum RenderInput {
  /// A media file or a stream.
  case media(MediaInput)
  /// A clip for which nothing has to be opened.
  case made(OpenedClip)
  /// Many items on one timeline.
  case queue(QueueInput)

  /// Whether the file at `path` is the input itself, whatever path leads there.
  func isInput(_ path: String) -> Bool {
    switch self {
    case .media(let input): return input.file.isSameFile(as: path)
    case .made: return false
    case .queue(let input): return input.isInput(path)
    }
  }

  /// All local files that the input is read from.
  var localFiles: [String] {
    switch self {
    case .media(let input): return input.localFiles
    case .made: return []
    case .queue(let input): return input.localFiles
    }
  }

  /// The input for copying its coded frames; `nil` where it has none.
  var coded: MediaInput? {
    guard case .media(let input) = self else { return nil }
    return input
  }

  /// The clip of `request`, opened for its outputs; `nil` for a queue. `log` is that of the input.
  /// - Throws: ``MediaError`` when its sound can't be read.
  func clip(of request: RenderRequest, _ log: DiagnosticLog) throws -> OpenedClip? {
    switch self {
    case .queue: return nil
    case .made(let clip): return clip
    case .media(let input):
      var clip = request.clips[0]
      clip.decoding.playback = PlaybackLayout(request.outputs)
      clip.decoding.needsPlaces = request.outputs.contains(where: \.needsPlaces)
      return try OpenedClip(clip, of: input, log: log)
    }
  }

  /// Opens the sound that `request` asks for; `taps` makes and closes the taps of the run.
  /// - Throws: ``MediaError`` when it can't be read.
  func openSound(
    for request: RenderRequest, in environment: RenderEnvironment, taps: TapLedger,
    log: DiagnosticLog
  ) throws -> any OpenedSound {
    if case .queue(let input) = self {
      // A list shows only now that it is a queue.
      try RequestRules.checkQueue(request)
      return try QueueSound(
        input, request: request, environment: environment, taps: taps, log: log)
    }
    guard request.outputs.allSatisfy({ $0.items == nil }),
      let clip = try clip(of: request, log.about(.input(0)))
    else {
      throw MediaError(.usage, about: request.name, "isn't a queue, so it has no items")
    }
    return ClipSound(
      clip, request: request, environment: environment, taps: taps, log: log)
  }
}

/// Opens the input of a clip: the one place that lists the kinds of inputs.
struct ClipOpener {
  let log: DiagnosticLog
  let isCancelled: () -> Bool

  /// The input of `clip`.
  /// - Throws: ``MediaError`` when it isn't there or can't be read.
  func input(of clip: Clip) throws -> RenderInput {
    let queues = QueueOpener(clip: clip, log: log, isCancelled: isCancelled)
    switch clip.input {
    case .queue(let queue): return .queue(queues.input(queue))
    case .file(let path):
      if let queue = try queues.open(path) { return .queue(queue) }
      return .media(
        try MediaInput(
          path: path, track: clip.decoding.track, bounds: clip.decoding.bounds, log: log,
          isCancelled: isCancelled))
    case .silence(let silence): return .made(try OpenedClip(silence, clip: clip, log: log))
    case .standardStream: return .media(MediaInput(file: try JobFiles.bufferedStandardInput()))
    }
  }
}

extension OpenedClip {
  /// Seconds before a range that are worth being left out, or a remark that they can't be.
  private static let lateStart: Int64 = 10

  /// Opens the track of `input` that `clip` asks for: decoded, trimmed, cut to the range.
  /// - Throws: ``MediaError``.
  init(_ clip: Clip, of input: MediaInput, log: DiagnosticLog) throws {
    var decoding = clip.decoding
    decoding.dialogueLift = clip.dialogueGain
    let track = try TrackSource(
      input: input, decoding: decoding, priming: clip.priming, gaps: clip.gaps, log: log)
    track.noteObjects(log)
    OpenedClip.noteDecodedLift(clip.dialogueGain, of: track, log)
    let facts = try InputFacts.report(track, of: input)
    let media = track.first.media
    let rate = track.programme.sampleRate
    let range = try clip.range.samples(at: rate)
    let plan = track.plan
    let other = media.earliestOtherStart(than: track.first.stream).map { $0.samples(at: rate) }
    // An edit list places the track on the movie's own timeline, which begins at 0.
    let zero = plan.isPlacedByEdits ? min(0, plan.start) : min(plan.start, other ?? plan.start)
    let lead = clip.alignment == .presentation ? plan.start - zero : 0
    let part = try OpenedClip.part(of: track, range, lead: lead, log)
    // The decoder of AC-4 raises dialogue itself.
    let isLifted = track.first.stream.codec != CodecTraits.ac4.name || clip.dialogueGain ?? 0 < 0
    guard isLifted || clip.dialogueGain ?? 0 <= 12 else {
      throw MediaError(
        .usage, "\(setting: .dialogueLift): AC-4 raises dialogue by 12 dB at most; give less")
    }
    let isChanged = clip.matrix != nil || clip.dialogueGain != nil && isLifted
    let original = isChanged ? OverheardSource(part) : nil
    let lift = try clip.dialogueGain.flatMap { gain in
      isLifted ? try DialogueLift(original ?? part, gain: gain, log: log) : nil
    }
    let mix = try clip.matrix.map { try MatrixSource(lift ?? original ?? part, $0, log: log) }
    self.init(
      facts: facts, tags: track.first.tags,
      title: media.title(of: track.first.stream),
      roles: OutputTrackFacts.Roles(marking: track.first.stream),
      foreignChunks: media.foreignChunks,
      source: mix ?? lift ?? part,
      expected: track.expectedSamples.map {
        max(0, min($0 + lead, range.upperBound) - range.lowerBound)
      },
      progress: {
        Progress(
          summary: track.summary, downmixChange: track.downmixChange, missing: track.missing)
      })
    (self.lift, self.original) = (lift, original)
    absoluteStart = plan.start - lead + range.lowerBound
    start = absoluteStart - zero
    length = track.expectedSamples.map { max(0, $0) + lead }
    asked = range.upperBound == .max ? nil : range.upperBound - range.lowerBound
    beside = ClipMedia(media: media, presentation: input.presentation)
    scene = { try InputFacts.scene(track) }
  }

  /// Reports dialogue that the decoder of AC-4 raises by as much as was asked for; it reports anything less itself.
  private static func noteDecodedLift(
    _ gain: Double?, of track: TrackSource, _ log: DiagnosticLog
  ) {
    guard let gain, gain > 0, track.first.stream.codec == CodecTraits.ac4.name,
      !log.decisions.contains(where: { $0.code == .dialogEnhancement })
    else { return }
    log.decide(
      .dialogEnhancement, "\(Decibels.signedText(gain)) dB",
      why:
        "asked for by \(setting: .dialogueLift); the decoder raises what the AC-4 stream has data for"
    )
  }

  /// The samples of `range` of `track`, with `lead` samples of silence before the track's first.
  private static func part(
    of track: TrackSource, _ range: Range<Int64>, lead: Int64, _ log: DiagnosticLog
  ) throws -> any ProgrammeSource {
    let isOpen = range.upperBound == .max
    guard lead != 0 || range.lowerBound != 0 || !isOpen else { return track.sound }
    let part = RangeSource(
      source: track.sound, start: range.lowerBound, end: isOpen ? nil : range.upperBound, lead: lead
    )
    try enter(part, of: track, at: range.lowerBound - lead, log)
    return part
  }

  /// Leaves out what lies before a range that begins at sample `start` of `track`, where that changes no bit
  /// of it.
  private static func enter(
    _ part: RangeSource, of track: TrackSource, at start: Int64, _ log: DiagnosticLog
  ) throws {
    let rate = Int64(track.programme.sampleRate)
    guard start >= lateStart * rate else { return }
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
}

extension TrackSource {
  /// Samples that the header promises and the decode lacks; 0 where the clock's uncertainty
  /// explains the difference.
  fileprivate var missing: Int64 {
    let reader = first.reader
    guard let declared = reader.track.declaredSamples else { return 0 }
    let done = first.trimmed.summary
    // Samples that an edit list or a header doesn't present aren't missed.
    if let valid = plan.validSamples, done.valid >= valid - plan.validTolerance {
      return 0
    }
    // A length by the clock is wrong by as much as the clock was.
    guard let lead = plan.bound == nil ? done.clockLead : 0 else { return 0 }
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
      dialnorm: facts.dialnorm, drc: facts.hasDynamicRange, objects: facts.objects)
    report.objectCoding = track.first.reader.track.objectCoding.map { coding in
      ObjectCodingReport(
        complexity: coding.complexity, bed: coding.bed?.name, objects: coding.objects,
        downmix: coding.downmix, updatesPerSecond: coding.updatesPerSecond)
    }
    report.undecoded = facts.undecoded
    report.scene = try scene(track)
    return report
  }

  /// Facts about the elements of a track so far; `nil` for a bed alone.
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
    let format = media.master == nil ? media.format : .damf
    return (input.presentation == nil ? format : .hls).token
  }
}

extension ObjectReport {
  /// Report on an object of a track at `rate` Hz.
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
  /// Report on the timeline of a track at `rate` Hz of which `out` samples were delivered from `start` on.
  init(_ done: TimelineSummary, start: Int64, rate: Int, out: Int64) {
    self.init(
      priming: Priming(
        samples: done.plan.priming, source: done.plan.primingSource ?? .unknown),
      padding: done.endTrim, paddingSource: done.plan.paddingSource,
      start: Start(samples: start, rate: rate),
      samplesIn: done.decoded, samplesOut: out,
      gaps: done.gaps.map {
        Gap(kind: $0.kind, position: $0.position, samples: $0.samples)
      })
  }
}
