import AC4
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Everything that must be known of an audio track before its first frame is copied. All of its frames
/// are read once to find it.
package struct CodedAudioSurvey {
  /// The container, which a raw file doesn't have.
  package let media: MediaFile?
  /// The stream, which a raw file doesn't have.
  package let stream: StreamInfo?
  /// The coding.
  package let coding: CopiedCoding
  /// Facts from the first frame and the container.
  package let facts: CodedAudioFacts
  /// Ticks a second of the frames' times.
  package let timescale: Int64
  /// Frames before the first that is copied.
  package let skipped: Int
  /// Frames that are copied.
  package let count: Int
  /// Time of the first copied frame.
  package let firstTime: Int64
  /// Ticks of the copied frames before what is presented.
  package let mediaTime: Int64
  /// Ticks that are presented.
  package let validDuration: Int64
  /// Time on the source's clock at which the presented part begins: ticks over ticks a second.
  package let start: (ticks: Int64, rate: Int64)

  private let file: LocalFile

  /// Reads all frames of the chosen track of `file`.
  /// - Parameters:
  ///   - file: the file.
  ///   - options: how it is opened, and which track.
  ///   - from: where the range begins, in seconds from the track's beginning; frames are whole.
  ///   - to: where it ends.
  ///   - log: takes decisions.
  /// - Throws: ``MediaError`` of kind `unsupported-codec` when the track can't be copied, and as
  ///   reading does.
  package init(
    file: LocalFile, options: InputOptions, from: MediaTime?, to: MediaTime?, log: DiagnosticLog
  ) throws {
    self.file = file
    let choice = try CopyChoice(file: file, options: options, log: log)
    media = choice.media
    stream = choice.stream
    coding = choice.coding
    let source = try choice.makeSource(log: log)
    guard let first = try source.next() else {
      throw MediaError(.noAudio, about: file.path, "its audio track holds no frames")
    }
    facts = try CodedAudioFacts.read(choice, source, first: first.data, path: file.path)
    timescale = source.timescale
    let edit = choice.edit(source)
    var extent = CodedExtent(from: from, to: to, edit: edit, timescale: source.timescale)
    try CodedAudioSurvey.read(source, first: first, into: &extent, path: file.path)
    CodedAudioSurvey.noteCut(media, log)
    guard extent.count > 0, extent.reachesRange else {
      if from == nil, to == nil {
        throw MediaError(
          .damaged, about: file.path, "its audio track has no frame that decoding can begin with")
      }
      throw MediaError(
        .usage,
        "the range from \(setting: .rangeStart) to \(setting: .rangeEnd) lies beyond the end of \(file.path)"
      )
    }
    skipped = extent.skipped
    count = extent.count
    firstTime = extent.firstTime
    let isWhole = from == nil && to == nil
    let lead = isWhole ? max(0, min(edit?.mediaTime ?? 0, extent.length - 1)) : 0
    mediaTime = lead
    validDuration = max(1, min(isWhole ? edit?.duration ?? .max : .max, extent.length - lead))
    let origin = source.origin
    if origin.rate == source.timescale {
      start = (origin.ticks + (edit?.shift ?? 0) + extent.firstTime + lead, source.timescale)
    } else {
      let rate = MediaTime.leastCommonMultiple(origin.rate, source.timescale)
      start = (
        origin.ticks * (rate / origin.rate) + extent.firstTime * (rate / source.timescale), rate
      )
    }
    note(extent, source.timescale, isWhole: isWhole, log)
  }

  /// Whether the coded sound holds audio objects; unknown for AC-4, whose frames aren't searched for them.
  package var objects: ProgrammeFacts.Presence {
    coding == .dolby(.ac4) ? .unknown : facts.objectComplexity > 0 ? .yes : .no
  }

  /// Path of the file that holds the frames.
  package var path: String { file.path }

  private static func read(
    _ source: AccessUnitSource, first: AccessUnit, into extent: inout CodedExtent, path: String
  ) throws {
    var unit: AccessUnit? = first
    while let current = unit {
      guard !current.isDamaged else {
        throw MediaError(
          .damaged, about: path,
          "the frame at \(MediaTime(ticks: current.time, rate: source.timescale)) is "
            + "damaged, which a copy can't repair; render it with another \(setting: .codec) and \(setting: .damage) "
            + "conceal")
      }
      extent.add(current)
      unit = try source.next()
    }
  }

  private static func noteCut(_ media: MediaFile?, _ log: DiagnosticLog) {
    guard let media, media.statesExtent, media.isCut else { return }
    log.degrade(
      .truncated, "the file ends before its header says; what is missing isn't in the copy")
  }

  private func note(
    _ extent: CodedExtent, _ timescale: Int64, isWhole: Bool, _ log: DiagnosticLog
  ) {
    log.decide(
      .codec, "copied",
      why:
        "asked for by \(setting: .codec) copy; \(extent.count) frames of \(coding.name), unchanged"
    )
    if isWhole, extent.behind > 0 {
      log.decide(
        .end, "\(extent.behind) frames left out", why: "the edit list ends before them")
    }
    if !isWhole {
      log.decide(
        .range,
        "\(MediaTime(ticks: extent.firstTime, rate: timescale)) to "
          + "\(MediaTime(ticks: extent.firstTime + extent.length, rate: timescale))",
        why: "a copy can only be cut between frames")
    }
  }

  /// Reads the surveyed frames again.
  /// - Throws: ``MediaError`` as opening does.
  package func makeReader(options: InputOptions) throws -> CodedAudioReader {
    let log = DiagnosticLog()
    let choice = try CopyChoice(file: file, options: options, log: log)
    return CodedAudioReader(try choice.makeSource(log: log), self)
  }
}
