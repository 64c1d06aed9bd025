import AudioCore
import LibAV
import MediaIn
import Report
import Timeline

/// Tells what a file holds without rendering it.
public struct MediaProber: Sendable {
  /// Opening and decoding.
  public var decoding = InputOptions()

  /// A prober with the default settings.
  public init() {}

  /// Reads the headers of the file at `path`; with `deep` also decodes the chosen track to its end.
  ///
  /// A track that can't be decoded is a `refusal` in the report, not an error.
  /// - Throws: ``MediaError`` when the file itself can't be opened.
  public func probe(path: String, deep: Bool = false) throws -> ProbeReport {
    LibAVLog.install()
    let log = DiagnosticLog()
    let media = try MediaFile(path: path, options: decoding)
    var report = ProbeReport(
      path: path, container: media.formatName, streams: media.streams.map(MediaProber.stream),
      chapters: media.container.chapters.map {
        ProbeReport.Chapter(start: $0.start, end: $0.end, title: $0.title)
      })
    do {
      report.track = try track(path, media, deep, log)
    } catch {
      let failure = JobRunner.mediaError(error, input: path)
      report.refusal = RenderReport.Failure(
        kind: failure.kind.rawValue, message: failure.message)
    }
    report.degradations = log.degradations
    report.decisions = log.decisions
    return report
  }

  private func track(
    _ path: String, _ media: MediaFile, _ deep: Bool, _ log: DiagnosticLog
  ) throws -> ProbeReport.Track {
    let stream = try media.selectTrack(decoding.track, log: log)
    let reader = try AudioTrackReader(media: media, stream: stream, options: decoding, log: log)
    let source = try TrimmedSource(
      source: reader, facts: media.gaplessFacts(of: stream), log: log)
    var samples =
      source.plan.validSamples ?? reader.declaredSamples.map { $0 - source.plan.priming }
    if deep {
      let buffer = AudioBuffer(channels: source.format.channels)
      while try source.read(into: buffer) { buffer.removeAll() }
      samples = source.summary.valid
    }
    let metadata = media.container.metadata.merging(stream.metadata) { first, _ in first }
    return ProbeReport.Track(
      input: InputFacts.report(path: path, media: media, reader: reader),
      priming: RenderReport.Timeline.Priming(
        samples: source.plan.priming, source: source.plan.primingSource?.rawValue ?? "unknown"),
      paddingSource: source.plan.paddingSource.rawValue, samples: samples,
      virtualized: SourceTags.virtualization(metadata) != nil)
  }

  private static func stream(_ info: StreamInfo) -> ProbeReport.Stream {
    let isAudio = info.kind == .audio
    let seconds = info.duration.map {
      Double($0 * info.timeBase.numerator) / Double(info.timeBase.denominator)
    }
    return ProbeReport.Stream(
      index: info.index, kind: info.kind.rawValue, codec: info.codec, profile: info.profile,
      layout: isAudio ? info.layout?.name ?? "\(info.channels) channels" : nil,
      rate: isAudio ? info.sampleRate : nil, language: info.language,
      title: info.metadata["title"], isDefault: info.isDefault, dispositions: info.dispositions,
      seconds: seconds)
  }
}
