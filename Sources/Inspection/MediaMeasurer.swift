// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import LibAV
import Loudness
import MediaIn
import Platform
import Rendering
import Report

/// Measures a file's valid samples without writing anything.
public struct MediaMeasurer: Sendable {
  /// How files are opened and decoded.
  public var decoding = InputOptions()
  /// Whether a mono programme counts as two equal channels.
  public var isDualMono = false
  /// The layout that is measured; `nil` measures a bed as it is, and objects as ITU-R BS.1770-5 renders them.
  public var layout: ChannelLayout?
  /// Whether the loudness of dialogue is measured, too.
  public var findsDialogue = false
  /// Whether the report gets the loudness every 100 ms.
  public var keepsSeries = false
  /// Date that the report states, by which it gets the file's digest, too; `nil` states neither.
  public var date: String?

  /// A measurer with the default settings.
  public init() {}

  /// Decodes, trims and measures the file at `path`.
  /// - Throws: ``MediaError`` that names the file; of kind `interrupted` when the task is
  ///   cancelled.
  public func measure(
    path: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws -> MeasureReport {
    try measureAll(path: path, progress: progress).report
  }

  /// A measured file, with what is behind its figures, for sums over several files.
  package struct Measured: Sendable {
    package var report: MeasureReport
    package let statistics: LoudnessStatistics
    /// Dialogue and the energies that it was measured by; `nil` where it wasn't asked for.
    let dialogue: (found: FoundDialogue, energies: StepEnergies)?

    /// The stretches of speech that count for the dialogue, in seconds.
    package var certainSpeech: [(begin: Double, end: Double)] {
      dialogue?.found.certainSpeech ?? []
    }
  }

  /// As ``measure(path:progress:)``, with what is behind the figures.
  /// - Throws: as ``measure(path:progress:)``.
  package func measureAll(
    path: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws -> Measured {
    LibAVLog.install()
    do {
      return try measure(path, DiagnosticLog(), progress)
    } catch {
      throw MediaError(any: error, input: WebAddress.withoutCredentials(path))
    }
  }

  /// The figures of `files` together.
  package static func album(_ files: [Measured]) -> MeasureAlbumReport {
    let together = LoudnessStatistics.combined(files.map(\.statistics)).measurement
    var levels = LevelsReport.levels(together)
    // Channels are compared by name, because different ones may be as many.
    if Set(files.map(\.report.channels)).count > 1 { levels.channelTruePeaks = [] }
    var album = MeasureAlbumReport(album: levels, tracks: files.map(\.report))
    album.dialogue = DialogueLoudness(album: files.compactMap(\.dialogue), programme: together)
    return album
  }

  /// Statistics behind the report's figures, for sums over several files, and doubts about them.
  /// - Throws: as ``measure(path:progress:)``.
  package func statistics(path: String) throws -> (LoudnessStatistics, [Diagnostic]) {
    LibAVLog.install()
    let log = DiagnosticLog()
    do { return (try measure(path, log, { _ in }).statistics, log.degradations) } catch {
      throw MediaError(any: error, input: WebAddress.withoutCredentials(path))
    }
  }

  private func measure(
    _ path: String, _ log: DiagnosticLog, _ progress: (RenderProgress) -> Void
  ) throws -> Measured {
    let input = try MediaInput(
      path: path, track: decoding.track, bounds: decoding.bounds, log: log,
      isCancelled: { Task.isCancelled })
    var decoding = decoding
    decoding.playback = layout.map { .only($0, followsFile: false) } ?? .all
    let source = try TrackSource(input: input, decoding: decoding, log: log)
    let search = findsDialogue ? try SourceDialogue(source.programme, isMetered: false) : nil
    let bed = try ChannelSource(
      search.map { search in OverheardSource(source) { try search.add($0) } } ?? source,
      layout: layout, log: log)
    let meter = try LoudnessMeter(format: bed.format, dualMono: isDualMono)
    var done: Int64 = 0
    try bed.forEachBlock { buffer in
      if Task.isCancelled {
        throw MediaError(.interrupted, about: input.name, "stopped before it was done")
      }
      try meter.add(buffer)
      done += Int64(buffer.frames)
      progress(
        RenderProgress(
          pass: .render, done: done, total: source.expectedSamples,
          sampleRate: bed.format.sampleRate))
    }
    let statistics = meter.statistics()
    var report = MeasureReport(
      input: try InputFacts.report(source, of: input), samples: done,
      levels: LevelsReport.levels(statistics.measurement),
      channels: bed.format.layout.channelNames, degradations: log.degradations,
      series: keepsSeries ? LevelsReport.series(statistics) : nil,
      relativeGate: statistics.relativeGate)
    let found = try search?.finish()
    let dialogue = found.map {
      (
        $0.dialogue,
        StepEnergies(meanSquares: statistics.meanSquares, sampleRate: bed.format.sampleRate)
      )
    }
    if let found, let dialogue {
      report.dialogue = found.figures(dialogue.1, statistics.measurement)
      found.note(log)
      report.degradations = log.degradations
    }
    if let date {
      report.date = date
      let isFile = WebAddress(path) == nil && path != "-" && input.presentation == nil
      report.sha256 = isFile ? try LocalFile(path: path).sha256() : nil
    }
    return Measured(report: report, statistics: statistics, dialogue: dialogue)
  }
}
