import AudioCore
import LibAV
import MediaIn
import Timeline

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
  /// What the current section reports; that of a later one is passed on with its place.
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
      "\(gap.segmentCount) segment(s) from number \(gap.firstSegment) on are missing by the "
        + "playlist's own account; filled with silence")
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
