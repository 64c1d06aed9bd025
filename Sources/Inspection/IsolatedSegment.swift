import AudioCore
import ISOBMFF
import LibAV
import MediaIn
import Platform

/// One segment with its initialisation section and nothing else, to see whether it plays alone.
struct IsolatedSegment {
  /// What is wrong; `nil` when all of its sound can be decoded and its pictures begin with a key
  /// frame.
  let fault: String?

  /// Joins the parts and decodes what they hold.
  /// - Parameter parts: files with the bytes of them that count, `nil` for all; the initialisation
  ///   section comes first.
  /// - Throws: ``MediaError`` when they can't be read.
  init(_ parts: [(file: LocalFile, range: Range<Int64>?)]) throws {
    let copy = try TemporaryFile()
    for (file, range) in parts {
      var offset = range?.lowerBound ?? 0
      let end = min(file.size, range?.upperBound ?? file.size)
      while offset < end {
        let bytes = file.bytes(at: offset, count: Int(min(1 << 20, end - offset)))
        guard !bytes.isEmpty else {
          throw MediaError(.inputUnreadable, about: file.path, "can't be read")
        }
        try bytes.withUnsafeBytes { try copy.append($0) }
        offset += Int64(bytes.count)
      }
    }
    let file = try copy.sealed(name: "segment")
    fault = try IsolatedSegment.judge(file)
  }

  private static func judge(_ file: LocalFile) throws -> String? {
    let source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
    guard let reader = FragmentedMovieReader(source) else { return "its header is missing" }
    var promised: Int64 = 0
    var startsWithKey: Bool?
    reader.forEachFragment { fragment in
      for run in fragment.tracks {
        guard let track = reader.tracks.first(where: { $0.id == run.trackID }) else { continue }
        if track.handler == "soun" { promised += run.duration }
        if track.handler == "vide", startsWithKey == nil { startsWithKey = run.startsWithSync }
      }
      return true
    }
    if startsWithKey == false { return "its pictures don't begin with a key frame" }
    guard promised > 0 else { return nil }
    let log = DiagnosticLog()
    let media = try MediaFile(file: file)
    let opener = TrackOpener(media)
    let stream = try opener.select(TrackChoice("default"), log: log)
    let reading = try opener.open(stream, options: InputOptions(), log: log)
    let block = ProgrammeBlock(reading.programme, capacity: 8192)
    while try reading.read(into: block) != nil { block.removeAll() }
    guard log.degradations.isEmpty else { return log.degradations[0].message }
    // The last frame may decode to more samples than count of it.
    return reading.decodedSamples < promised
      ? "\(reading.decodedSamples) of its \(promised) samples can be decoded alone" : nil
  }
}
