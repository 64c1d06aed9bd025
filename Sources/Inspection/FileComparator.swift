// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import MediaIn
import Platform
import Rendering
import Report
import Verify

/// Compares two media files layer by layer. Both are decoded together, block by block; where
/// samples differ, they are decoded a second time, aligned. Memory doesn't depend on their length.
public struct FileComparator: Sendable {
  /// How both files are opened and decoded.
  public var decoding = InputOptions()
  /// Differences that still count as alike.
  public var tolerance = ComparisonTolerance.exact
  /// Whether TEST is compared with the gain that makes it as loud as REF.
  public var matchesLoudness = false

  /// A comparator with the default settings.
  public init() {}

  /// Compares the file at `test` with that at `reference`.
  /// - Throws: ``MediaError`` when a file can't be opened or REF can't be decoded; faults of TEST
  ///   after its header are in the report.
  public func compare(
    reference: String, test: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws -> ComparisonReport {
    LibAVLog.install()
    let first = try FirstPass(
      reference, test, decoding, matchesLoudness: matchesLoudness, progress)
    var tolerance = tolerance
    // With a gain the samples can't be the same; the null layer judges them.
    if first.matchedGain != nil { tolerance.comparesHash = false }
    var layers = first.layers(tolerance)
    var difference: [Double?]?
    var lag: Int64?
    if let excerpt = first.excerpt, layers.count < ComparisonLayer.allCases.count {
      let found = try aligned(first, excerpt, reference, test, progress)
      layers += found.layers
      (difference, lag) = (found.difference, found.lag)
    }
    // With the lag, the structure layer can distinguish a cut beginning from a cut end.
    layers[0] = first.structure(tolerance, lag: lag)
    var report = first.report(layers, tolerance, difference: difference)
    if matchesLoudness, first.matchedGain == nil, !first.areIdentical {
      report.verdict += " The loudness wasn't matched, because it can't be measured in both."
    }
    return report
  }

  /// The layers that need both files aligned, and the lag of TEST where it is related to REF.
  private func aligned(
    _ first: FirstPass, _ excerpt: AlignmentExcerpt, _ reference: String, _ test: String,
    _ progress: (RenderProgress) -> Void
  ) throws -> (layers: [LayerResult], difference: [Double?], lag: Int64?) {
    let alignment = AlignmentSearch(excerpt).find()
    let format = first.reference.channels.format
    var null = NullComparator(format: format, alignment: alignment, surplus: first.surplus)
    var spectrum = SpectrumComparator()
    var interaural = InterauralComparator()
    var trace = DifferenceTrace(format: format, alignment: alignment)
    let matched = first.matchedGain.map { MatchedBlocks(format: format, gainDB: $0) }
    let analyzer = SpectralAnalyzer(format: format)
    let isPair = format.channels == 2
    let lags = alignment.lag == 0 ? [0] : [0, alignment.lag]
    for lag in lags {
      let old = try ComparedFile(path: reference, decoding: decoding)
      let new = try ComparedFile(path: test, decoding: decoding)
      let pairer = BlockPairer(reference: old.channels, test: new.channels, lag: lag)
      var done: Int64 = 0
      try pairer.run { old, new, count in
        try FirstPass.checkCancelled(reference)
        let new = matched?.louder(new, count: count) ?? new
        if lag == 0 { null.addUnaligned(old, new, count: count) }
        if lag == alignment.lag {
          null.addAligned(old, new, count: count)
          trace.add(old, new, count: count)
          analyzer.add(old, new, count: count) { frame in
            spectrum.add(frame)
            if isPair { interaural.add(frame) }
          }
        }
        done += Int64(count)
        progress(
          RenderProgress(
            pass: .verify, done: done, total: nil, sampleRate: format.sampleRate))
      }
    }
    interaural.finish()
    trace.finish()
    let comparators: [any LayerComparator] =
      [null] + first.levels + [spectrum] + (isPair ? [interaural] : [])
    var results = comparators.map { $0.judge(tolerance) }
    if first.levels.isEmpty {
      results.insert(.skipped(.levels, "the meter isn't made for this sample rate"), at: 1)
    }
    if !isPair { results.append(.skipped(.interaural, "only two channels have two ears")) }
    return (results, trace.levels, null.areRelated ? Int64(alignment.lag) : nil)
  }
}

/// One of the files of a comparison, open from its first sample.
struct ComparedFile {
  let input: MediaInput
  let source: TrackSource
  /// Its channels; objects and sound fields as ITU-R BS.1770-5 renders them.
  let channels: ChannelSource
  let log: DiagnosticLog

  /// Opens the file at `path`.
  /// - Throws: ``MediaError`` that names the file.
  init(path: String, decoding: InputOptions) throws {
    log = DiagnosticLog()
    // Channels are compared by their number where nothing names them.
    var decoding = decoding
    decoding.needsPlaces = false
    do {
      input = try MediaInput(
        path: path, track: decoding.track, bounds: decoding.bounds, log: log,
        isCancelled: { Task.isCancelled })
      source = try TrackSource(input: input, decoding: decoding, log: log)
      channels = try ChannelSource(source, layout: nil, log: log)
    } catch {
      throw MediaError(any: error, input: WebAddress.withoutCredentials(path))
    }
  }
}

/// Gathers the facts of a file besides its samples.
struct StructureReader {
  /// Boxes that hold nothing but boxes (ISO/IEC 14496-12).
  private static let parents: Set<String> = [
    "moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "mvex", "udta",
  ]
  /// Boxes and fragments listed at most.
  private static let limit = 100_000
  /// Tags that describe the programme, not the program that wrote the file.
  private static let tags: Set<String> = [
    "title", "artist", "album", "album_artist", "composer", "comment", "copyright", "date", "genre",
    "track", "disc", "language", "isrc",
  ]

  let file: ComparedFile

  /// The facts; lengths are those of what was read, so read everything first.
  func facts() -> StructureFacts {
    let source = file.source
    let media = source.first.media
    var facts = StructureFacts(format: file.channels.format)
    facts.container = InputFacts.container(file.input, media)
    facts.codec = source.first.stream.codec
    let summary = source.summary
    facts.samples = summary.valid
    facts.start = summary.plan.start
    facts.priming = summary.plan.priming
    for (entry, values) in source.first.tags.grouped
    where StructureReader.tags.contains(entry.key) {
      facts.tags[entry.key] = values.joined(separator: "; ")
    }
    if let language = source.first.stream.language { facts.tags["language"] = language }
    if let movie = media.movie { addMovie(movie, media.file, to: &facts) }
    return facts
  }

  private func addMovie(_ movie: MovieFacts, _ file: LocalFile, to facts: inout StructureFacts) {
    for track in movie.tracks {
      facts.edits += track.edits.map {
        "track \(track.id): \($0.duration) of \(movie.timescale) ticks from media time "
          + "\($0.mediaTime)"
      }
    }
    let source = file.source
    let scanner = BoxScanner(source)
    StructureReader.list(scanner, 0, file.size, "", &facts.boxes)
    guard let reader = FragmentedMovieReader(source) else { return }
    reader.forEachFragment { fragment in
      for track in fragment.tracks {
        facts.fragments.append(
          StructureFacts.Fragment(
            track: track.trackID, sequence: fragment.sequenceNumber,
            decodeTime: track.baseDecodeTime, samples: track.sampleCount,
            duration: track.duration))
      }
      return facts.fragments.count < StructureReader.limit
    }
    guard !facts.fragments.isEmpty else { return }
    facts.findings = FragmentedMovieCheck(source).findings.map { "\($0)" }
  }

  /// Lists the boxes of one level and below, fragments and media data left out.
  private static func list(
    _ scanner: BoxScanner, _ start: Int64, _ end: Int64, _ path: String, _ boxes: inout [String]
  ) {
    for box in scanner.boxes(from: start, to: end) {
      guard boxes.count < limit, path.utf8.count < 64 else { return }
      if path.isEmpty, ["moof", "mdat", "mfra", "free", "sidx", "styp"].contains(box.type) {
        continue
      }
      let own = path.isEmpty ? box.type : "\(path)/\(box.type)"
      boxes.append(own)
      if parents.contains(box.type) { list(scanner, box.payload, box.end, own, &boxes) }
    }
  }
}
