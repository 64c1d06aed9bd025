// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// The chosen track of an input from its first valid sample to its last.
///
/// A file is one section. The sections of HLS and the links of a chained Ogg file are played one after the other in the
/// format of the first; each is trimmed by its own facts.
package final class TrackSource: ProgrammeSource {
  /// Programme of every block: what the reader states, and whether the tags mark the sound as
  /// virtualised.
  package let programme: Programme

  /// The sound of all sections, for those who need nothing else of the track.
  package let sound: JoinedSource

  private let sections: TrackSections

  /// The container of an input's first section with sound.
  /// - Throws: ``MediaError``.
  package static func openFirst(of input: MediaInput, decoding: InputOptions) throws -> MediaFile {
    let parts = input.parts
    guard !parts.isEmpty || input.presentation != nil else {
      let media = try MediaFile(file: input.file, options: decoding)
      media.master = try input.master(decoding)
      return media
    }
    guard let part = parts.first(where: { !$0.isMissing }) else {
      throw MediaError(.noAudio, about: input.name, "all of its segments are missing")
    }
    return try MediaFile(file: input.open(part), options: decoding)
  }

  /// Opens the track in the input's first section, whose container may be open already.
  /// - Throws: ``MediaError``; of kind `damaged` when segments are missing by the playlist's own
  ///   account and damage isn't to be concealed.
  package init(
    input: MediaInput, media: MediaFile? = nil, decoding: InputOptions,
    priming: PrimingOption = .automatic, gaps: GapPolicy = .fill, log: DiagnosticLog
  ) throws {
    sections = try TrackSections(
      input: input, media: media, decoding: decoding, priming: priming, gaps: gaps, log: log)
    var programme = sections.first.reader.programme
    programme.facts.virtualization =
      programme.facts.virtualization ?? .stated(by: sections.first.tags)
    self.programme = programme
    sound = try JoinedSource(programme, sections: sections)
  }

  /// Reports objects of the track, and sound in space in another one, of which this track's bed is all that is heard.
  package func noteObjects(_ log: DiagnosticLog) {
    guard let layout = programme.bedFormat?.layout else { return }
    if let coding = first.media.spatialCoding(beside: first.stream) {
      log.degrade(
        .objectsToBed,
        "another track holds sound in space (\(coding)), which can't be decoded; only the \(layout) of stream "
          + "\(first.stream.index) is rendered")
    }
    guard programme.facts.objects == .yes else { return }
    let held = programme.facts.undecoded.map { "\($0.contents), which can't be decoded" }
    log.degrade(
      .objectsToBed,
      "the track holds \(held ?? "audio objects"); only its \(layout) bed is rendered")
  }

  /// The first section with sound.
  package var first: TrackSection { sections.first }

  /// Conclusions drawn from the facts of the first section.
  package var plan: TrimPlan { first.trimmed.plan }

  /// Samples the track probably has; `nil` when the input doesn't state it.
  package var expectedSamples: Int64? {
    if let durations = sections.statedDurations {
      return durations.reduce(0) {
        $0 + MediaTime(ticks: $1, rate: 1_000_000_000).samples(at: programme.sampleRate)
      }
    }
    guard sections.count == 1 else { return nil }
    return plan.validSamples ?? first.reader.track.expectedSamples.map { $0 - plan.priming }
  }

  /// Number of samples according to the headers, without decoding; `nil` for several sections, and where the
  /// headers only state a length that is rounded to a clock.
  package var declaredSamples: Int64? {
    guard sections.count == 1 else { return nil }
    let track = first.reader.track
    if let stated = plan.statedSamples { return stated }
    if let samples = track.programmeSamples, plan.primingSource != .option { return samples }
    return track.isCountExact && plan.shift == 0
      ? track.declaredSamples.map { $0 - plan.priming } : nil
  }

  /// Source of the programme's end that ``declaredSamples`` counts to.
  package var declaredEnd: PaddingSource {
    declaredSamples == nil ? plan.paddingSource : plan.declaredEnd
  }

  /// Work of the timeline over all sections, in samples of the first one's rate.
  package var summary: TimelineSummary { sound.summary }

  /// Samples before the programme's downmix first differs from that in its facts; gaps that were
  /// filled in the same section aren't counted.
  package var downmixChange: Int64? { sections.downmixChange }

  /// Leaves out the first samples of a file whose codec and container allow it.
  /// - Throws: ``MediaError`` from the file.
  package func skip(_ count: Int64) throws -> Int64 { try sound.skip(count) }

  /// Appends the next valid samples; `false` at the end.
  /// - Throws: ``MediaError`` from a section.
  package func read(into block: ProgrammeBlock) throws -> Bool { try sound.read(into: block) }
}

/// The sections of an input: the one container of a file, the links of a chained one, or those of HLS, which are fetched
/// when their turn comes.
final class TrackSections: JoinedSections {
  /// Difference between a section's length and the playlist's that is worth a remark, in nanoseconds,
  /// beyond what rounding explains: half a second, more than any codec's start-up samples and padding.
  private static let lengthTolerance: Int64 = 500_000_000

  /// The first section with sound.
  let first: TrackSection
  /// Samples before the programme's downmix first differs from that at its beginning; gaps that
  /// were filled in the same section aren't counted.
  private(set) var downmixChange: Int64?

  private let input: MediaInput
  private let decoding: InputOptions
  private let priming: PrimingOption
  private let gaps: GapPolicy
  private let log: DiagnosticLog
  private let sections: [SoundPart]
  private let firstIndex: Int
  private var current: TrackSection
  private var currentStart: Int64 = 0
  /// Reports of the current section; that of a later one is passed on with its place.
  private var sectionLog: DiagnosticLog
  /// How many degradations of the current section were passed on.
  private var forwarded = 0

  /// Opens the track in the input's first section with sound, whose container may be open already.
  /// - Throws: ``MediaError``; of kind `damaged` when segments are missing by the playlist's own
  ///   account and damage isn't to be concealed.
  init(
    input: MediaInput, media: MediaFile?, decoding: InputOptions, priming: PrimingOption,
    gaps: GapPolicy, log: DiagnosticLog
  ) throws {
    let decoding = input.decoding(decoding)
    sections = input.parts
    if decoding.damage == .fail { try TrackSections.refuseGaps(input) }
    firstIndex = sections.firstIndex { !$0.isMissing } ?? 0
    first = try TrackSection(
      media: media ?? TrackSource.openFirst(of: input, decoding: decoding), decoding: decoding,
      priming: priming, gaps: gaps, isFirst: true, log: log)
    (self.input, self.decoding, self.priming, self.gaps) = (input, decoding, priming, gaps)
    (self.log, sectionLog, current) = (log, log, first)
  }

  var count: Int { max(1, sections.count) }

  /// The duration of each section in nanoseconds, as the playlist states it; `nil` for a file.
  var statedDurations: [Int64]? { input.presentation?.sections.map(\.duration) }

  func open(_ index: Int, at position: Int64) throws -> JoinedSection {
    if index == firstIndex {
      currentStart = position
      return .sound(first.trimmed)
    }
    let part = sections[index]
    if case .section(let section) = part, section.isGap {
      noteGap(section)
      return .silence(MediaTime(ticks: section.duration, rate: 1_000_000_000))
    }
    sectionLog = DiagnosticLog()
    forwarded = 0
    current = try open(part)
    currentStart = position
    let programme = current.reader.programme
    if downmixChange == nil, programme.facts.downmix != first.reader.programme.facts.downmix {
      downmixChange = position
    }
    try noteFormat(programme, part)
    forwardDegradations(of: part)
    return .sound(current.trimmed)
  }

  private func open(_ part: SoundPart) throws -> TrackSection {
    // Every link begins with start-up samples; a section of HLS may go on with the sound before it.
    let isLink = if case .link = part { true } else { false }
    return try TrackSection(
      media: MediaFile(file: input.open(part), options: decoding), decoding: decoding,
      priming: isLink && priming != .keep ? .automatic : priming, gaps: gaps, isFirst: isLink,
      log: sectionLog)
  }

  func makeConverter(from section: AudioFormat, to joined: AudioFormat) throws -> any AudioStage {
    let converter = Resampler(to: joined)
    _ = try converter.prepare(section)
    return converter
  }

  func didRead(_ index: Int) {
    noteDownmixChange()
    if sections.indices.contains(index) { forwardDegradations(of: sections[index]) }
  }

  /// Compares the section's length with the playlist's.
  func didEnd(_ index: Int) {
    guard sections.indices.contains(index), case .section(let section) = sections[index] else {
      return
    }
    let length = MediaTime.rescale(
      current.trimmed.summary.valid, by: 1_000_000_000,
      over: Int64(current.reader.programme.sampleRate))
    let tolerance = TrackSections.lengthTolerance + section.uncertainty
    guard (length - section.duration).magnitude > UInt64(tolerance) else { return }
    log.degrade(
      .playlistLength,
      "segments \(section.firstSegment) to \(section.firstSegment + section.segmentCount - 1) hold "
        + "\(MediaTime(ticks: length, rate: 1_000_000_000)) of sound where the playlist says "
        + "\(MediaTime(ticks: section.duration, rate: 1_000_000_000))")
  }

  private func noteGap(_ gap: StreamSection) {
    log.degrade(
      .playlistGap,
      gap.segmentCount.counted("segment", "segments") + " from number \(gap.firstSegment) on "
        + (gap.segmentCount == 1 ? "is" : "are")
        + " missing, as the playlist states; filled with silence")
  }

  private func noteFormat(_ programme: Programme, _ part: SoundPart) throws {
    let joined = first.reader.programme
    guard programme.sampleRate != joined.sampleRate || !programme.hasSamePlanes(as: joined)
    else { return }
    let user = "a stream whose parts differ"
    let own = try programme.bedFormat(for: user)
    let format = try joined.bedFormat(for: user)
    log.degrade(
      .formatChange,
      "from sample \(currentStart) on (\(part.place)) the stream is \(own.layout) "
        + "at \(own.sampleRate) Hz; converted to \(format.layout) at \(format.sampleRate) Hz")
  }

  private func noteDownmixChange() {
    guard downmixChange == nil, let change = current.reader.downmixChange else { return }
    let own = max(0, change - current.trimmed.plan.priming)
    let rates = (current.reader.programme.sampleRate, first.reader.programme.sampleRate)
    downmixChange =
      currentStart + MediaTime.rescale(own, by: Int64(rates.1), over: Int64(rates.0))
  }

  /// Passes on what a later section reports, with its place.
  private func forwardDegradations(of part: SoundPart) {
    guard sectionLog !== log else { return }
    let fresh = sectionLog.degradations.dropFirst(forwarded)
    forwarded += fresh.count
    for entry in fresh {
      log.degrade(
        entry.code, "in the part from \(part.place) on: \(entry.message)")
    }
  }

  private static func refuseGaps(_ input: MediaInput) throws {
    guard let presentation = input.presentation,
      let gap = presentation.sections.first(where: \.isGap)
    else { return }
    throw MediaError(
      .damaged, about: input.name,
      "segment \(gap.firstSegment) (\(WebSecrets.hidden(reference: presentation.firstURI(of: gap)))) is missing by "
        + "the playlist's own account (EXT-X-GAP); give a complete copy, or \(setting: .damage) conceal to "
        + "fill with silence")
  }
}

/// One container of an input, opened, decoded and trimmed by its own facts.
package final class TrackSection {
  package let media: MediaFile
  package let stream: StreamInfo
  package let reader: any TrackReader
  package let trimmed: TrimmedSource

  /// Opens the chosen track of `media`. At the programme's beginning and that of a link (`isFirst`), `priming` decides
  /// on start-up samples; later sections have only those that their container states.
  /// - Throws: ``MediaError`` when the track can't be read.
  package init(
    media: MediaFile, decoding: InputOptions, priming: PrimingOption, gaps: GapPolicy,
    isFirst: Bool, log: DiagnosticLog
  ) throws {
    self.media = media
    let opener = TrackOpener(media)
    stream = try opener.select(decoding.track, log: log)
    reader = try opener.open(stream, options: decoding, log: log)
    let facts = media.gaplessFacts(of: stream)
    let own: PrimingOption = facts.isExplicit && priming != .keep ? .automatic : .keep
    trimmed = try TrimmedSource(
      source: reader, facts: facts, priming: isFirst ? priming : own, gaps: gaps, log: log)
  }

  /// Descriptive tags of container and stream in order; the container's come first.
  package private(set) lazy var tags: MediaTags = media.tags(of: stream)

  /// Tags of container and stream as libavformat reads them, names in lower case; the container's come first.
  package var metadata: [String: String] {
    media.metadata.merging(stream.metadata) { first, _ in first }
  }
}

extension GaplessFacts {
  /// Whether the container itself speaks of start-up samples.
  fileprivate var isExplicit: Bool {
    rule.start.contains { source in
      switch source {
      case .editList: !edits.isEmpty && !startsWithFirstSample
      case .iTunSMPB: iTunSMPB != nil
      case .packetTable: packetTable != nil
      case .opusHeader: opusPreSkip != nil
      case .codecDelay: codecDelay != nil
      // A decoder marks these, or Pinna knows them; a section in mid-programme doesn't begin with them.
      case .firstPage, .lame, .decoder, .codecTable, .option, .unknown: false
      }
    }
  }
}
