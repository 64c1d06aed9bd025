import AudioCore
import ISOBMFF
import LibAV
import MediaIn
import Platform
import Rendering
import Timeline
import Verify

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
    let source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
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
