import AudioCore
import LibAV
import MediaIn
import Timeline

/// The chosen track of an input from its first valid sample to its last.
///
/// A file is one section. The sections of HLS are played one behind the other, each trimmed by its
/// own facts, in the format of the first; sections are fetched when their turn comes.
package final class TrackSource: AudioSource {
  /// The first section with sound.
  package let first: TrackSection
  package let format: AudioFormat

  private let input: MediaInput
  private let decoding: InputOptions
  private let priming: PrimingOption
  private let gaps: GapPolicy
  private let log: DiagnosticLog
  private let sections: [StreamSection]
  private var index: Int
  private var current: TrackSection?
  /// What the current section reports; that of a later one is passed on with its place.
  private var sectionLog: DiagnosticLog
  private var relayed = 0
  private var converter: Resampler?
  private let rest: AudioBuffer
  private var scratch: AudioBuffer
  private var silence: Int64 = 0
  private var done: Int64 = 0
  private var before: TimelineSummary?
  /// Samples before the programme first says something else about its downmix than at its beginning;
  /// gaps that were filled in the same section aren't counted.
  private(set) var downmixChange: Int64?
  private var sectionStart: Int64 = 0

  /// The container of an input's first section with sound.
  /// - Throws: ``MediaError``.
  package static func openFirst(of input: MediaInput, decoding: InputOptions) throws -> MediaFile {
    guard let presentation = input.presentation else {
      return try MediaFile(file: input.file, options: decoding)
    }
    guard let section = presentation.sections.first(where: { !$0.isGap }) else {
      throw MediaError(.noAudio, "\(input.name): all of its segments are missing")
    }
    return try MediaFile(file: presentation.open(section), options: decoding)
  }

  /// Opens the track in the input's first section, whose container may be open already.
  /// - Throws: ``MediaError``; of kind `damaged` when segments are missing by the playlist's own
  ///   account and damage isn't to be concealed.
  package init(
    input: MediaInput, media: MediaFile? = nil, decoding: InputOptions,
    priming: PrimingOption = .automatic, gaps: GapPolicy = .fill, log: DiagnosticLog
  ) throws {
    var decoding = decoding
    decoding.track = input.presentation?.track ?? decoding.track
    sections = input.presentation?.sections ?? []
    if decoding.damage == .fail { try TrackSource.refuseGaps(input) }
    let start = sections.firstIndex { !$0.isGap } ?? 0
    first = try TrackSection(
      media: media ?? TrackSource.openFirst(of: input, decoding: decoding), decoding: decoding,
      priming: priming, gaps: gaps, isFirst: true, log: log)
    format = first.reader.format
    (self.input, self.decoding, self.priming, self.gaps) = (input, decoding, priming, gaps)
    (self.log, sectionLog, index, current) = (log, log, start, first)
    scratch = AudioBuffer(channels: format.channels)
    rest = AudioBuffer(channels: format.channels)
    for gap in sections[..<start] { owe(gap) }
    sectionStart = silence
  }

  /// Conclusions drawn from the facts of the first section.
  package var plan: TrimPlan { first.trimmed.plan }

  /// Samples the track probably has; `nil` when nobody says.
  package var expectedSamples: Int64? {
    guard sections.isEmpty else {
      return sections.reduce(0) { $0 + samples($1.duration) }
    }
    return plan.validSamples ?? first.reader.expectedSamples.map { $0 - plan.priming }
  }

  /// Samples as far as headers say, without decoding; `nil` for several sections.
  package var declaredSamples: Int64? {
    guard sections.count <= 1 else { return nil }
    return plan.validSamples ?? first.reader.declaredSamples.map { $0 - plan.priming }
  }

  /// What was done, over all sections, in samples of the first one's rate.
  package var summary: TimelineSummary {
    guard let current, current !== first || before != nil else {
      return before ?? first.trimmed.summary
    }
    return joined(current)
  }

  /// Appends the next valid samples; `false` at the end.
  /// - Throws: ``MediaError`` from a section.
  package func read(into buffer: AudioBuffer) throws -> Bool {
    let start = buffer.frames
    defer { done += Int64(buffer.frames - start) }
    if silence > 0 {
      let count = Int(min(silence, 65_536))
      buffer.appendSilence(count)
      silence -= Int64(count)
      return silence > 0 || current != nil || index + 1 < sections.count
    }
    guard let section = current else { return try openNext() }
    let more = try pull(section, into: buffer)
    noteDownmixChange(section)
    relay()
    if more { return true }
    try close(section, at: done + Int64(buffer.frames - start), into: buffer)
    return index + 1 < sections.count
  }

  private func pull(_ section: TrackSection, into buffer: AudioBuffer) throws -> Bool {
    guard let converter else { return try section.trimmed.read(into: buffer) }
    scratch.removeAll()
    let more = try section.trimmed.read(into: scratch)
    try converter.process(scratch, into: buffer)
    if !more {
      // The resampler's finish may trim what it appended, so it gets a buffer of its own.
      rest.removeAll()
      try converter.finish(into: rest)
      buffer.append(rest)
    }
    return more
  }

  /// Goes on with the next section; `false` when there is none.
  private func openNext() throws -> Bool {
    guard index + 1 < sections.count, let presentation = input.presentation else { return false }
    index += 1
    guard !sections[index].isGap else {
      owe(sections[index])
      return silence > 0 || index + 1 < sections.count
    }
    sectionLog = DiagnosticLog()
    relayed = 0
    let section = try TrackSection(
      media: MediaFile(file: presentation.open(sections[index]), options: decoding),
      decoding: decoding, priming: priming, gaps: gaps,
      isFirst: false, log: sectionLog)
    converter = nil
    sectionStart = done
    if downmixChange == nil, section.reader.downmix != first.reader.downmix {
      downmixChange = done
    }
    let own = section.reader.format
    if own != format {
      let fresh = Resampler(to: format)
      _ = try fresh.prepare(own)
      converter = fresh
      scratch = AudioBuffer(channels: own.channels)
      log.degrade(
        .formatChange,
        "from sample \(done) on (segment \(sections[index].firstSegment)) the stream is \(own.layout) "
          + "at \(own.sampleRate) Hz; converted to \(format.layout) at \(format.sampleRate) Hz")
    }
    current = section
    relay()
    return true
  }

  private func noteDownmixChange(_ section: TrackSection) {
    guard downmixChange == nil, let change = section.reader.downmixChange else { return }
    let own = max(0, change - section.trimmed.plan.priming)
    let rate = Int64(section.reader.format.sampleRate)
    downmixChange = sectionStart + MediaTime.rescale(own, by: Int64(format.sampleRate), over: rate)
  }

  /// Ends a section: adds it to the account and compares its length with the playlist's.
  private func close(_ section: TrackSection, at end: Int64, into buffer: AudioBuffer) throws {
    before = joined(section)
    current = nil
    converter = nil
    guard !sections.isEmpty else { return }
    let facts = sections[index]
    let valid = section.trimmed.summary.valid
    let length = MediaTime.rescale(
      valid, by: 1_000_000_000, over: Int64(section.reader.format.sampleRate))
    guard (length - facts.duration).magnitude > UInt64(500_000_000 + facts.uncertainty) else {
      return
    }
    log.degrade(
      .playlistLength,
      "segments \(facts.firstSegment) to \(facts.firstSegment + facts.segmentCount - 1) hold "
        + "\(MediaTime(ticks: length, rate: 1_000_000_000)) of sound where the playlist says "
        + "\(MediaTime(ticks: facts.duration, rate: 1_000_000_000))")
  }

  private func owe(_ gap: StreamSection) {
    silence += samples(gap.duration)
    log.degrade(
      .playlistGap,
      "\(gap.segmentCount) segment(s) from number \(gap.firstSegment) on are missing by the "
        + "playlist's own account; filled with silence")
  }

  private static func refuseGaps(_ input: MediaInput) throws {
    guard let presentation = input.presentation,
      let gap = presentation.sections.first(where: \.isGap)
    else { return }
    throw MediaError(
      .damaged,
      "\(input.name): segment \(gap.firstSegment) (\(presentation.firstURI(of: gap))) is missing by "
        + "the playlist's own account (EXT-X-GAP); give a complete copy, or --on-damage conceal to "
        + "fill with silence")
  }

  /// Passes on what a later section reports, with its place.
  private func relay() {
    guard sectionLog !== log else { return }
    let fresh = sectionLog.degradations.dropFirst(relayed)
    relayed += fresh.count
    for entry in fresh {
      log.degrade(
        entry.code, "in the part from segment \(sections[index].firstSegment) on: \(entry.message)")
    }
  }

  private func samples(_ nanoseconds: Int64) -> Int64 {
    MediaTime.rescale(nanoseconds, by: Int64(format.sampleRate), over: 1_000_000_000)
  }

  /// The account of the sections before with that of `section`.
  private func joined(_ section: TrackSection) -> TimelineSummary {
    let own = section.trimmed.summary
    guard var all = before else { return own }
    let scale = { [format] (count: Int64) in
      MediaTime.rescale(
        count, by: Int64(format.sampleRate), over: Int64(section.reader.format.sampleRate))
    }
    let offset = all.valid
    all.decoded += scale(own.decoded)
    all.startTrim += scale(own.startTrim)
    all.endTrim += scale(own.endTrim)
    all.valid += scale(own.valid)
    all.gaps += own.gaps.map {
      TimelineGap(kind: $0.kind, position: offset + scale($0.position), samples: scale($0.samples))
    }
    return all
  }
}
