import AudioCore
import LibAV
import MediaIn
import Timeline

/// The chosen track of an input from its first valid sample to its last.
///
/// A file is one section. The sections of HLS and the links of a chained Ogg file are played one after the other in the
/// format of the first; each is trimmed by its own facts.
package final class TrackSource: ProgrammeSource {
  /// What every block holds: what the reader states, and whether the tags mark the sound as
  /// virtualised.
  package let programme: Programme

  private let sections: TrackSections
  private let joined: JoinedSource

  /// The container of an input's first section with sound.
  /// - Throws: ``MediaError``.
  package static func openFirst(of input: MediaInput, decoding: InputOptions) throws -> MediaFile {
    let parts = input.parts
    guard !parts.isEmpty || input.presentation != nil else {
      return try MediaFile(file: input.file, options: decoding)
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
      programme.facts.virtualization ?? SourceTags.virtualization(sections.first.tags)
    self.programme = programme
    joined = try JoinedSource(programme, sections: sections)
  }

  /// Reports objects of the track, and sound in space in another one, of which this track's bed is all that is heard.
  func noteObjects(_ log: DiagnosticLog) {
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

  /// What was done, over all sections, in samples of the first one's rate.
  package var summary: TimelineSummary { joined.summary }

  /// Samples before the programme's downmix first differs from that in its facts; gaps that were
  /// filled in the same section aren't counted.
  package var downmixChange: Int64? { sections.downmixChange }

  /// Leaves out the first samples of a file whose codec and container allow it.
  /// - Throws: ``MediaError`` from the file.
  package func skip(_ count: Int64) throws -> Int64 { try joined.skip(count) }

  /// Appends the next valid samples; `false` at the end.
  /// - Throws: ``MediaError`` from a section.
  package func read(into block: ProgrammeBlock) throws -> Bool { try joined.read(into: block) }
}
