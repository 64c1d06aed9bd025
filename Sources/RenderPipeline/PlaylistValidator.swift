import AudioCore
import ISOBMFF
import LibAV
import MediaIn
import Report

/// Checks the playlists of HLS against the media they name: that every segment is a whole fragment,
/// that the segments tile their file, and that their lengths add up (RFC 8216, 4.3 and 6.2.1).
struct PlaylistValidator {
  /// Microseconds by which EXTINF may be off in all.
  private static let slack: Int64 = 1000

  private(set) var findings: [ValidationReport.Finding] = []
  private(set) var segmentCount = 0
  /// Whether each segment is to be played alone.
  let isolate: Bool

  init(isolate: Bool) { self.isolate = isolate }

  /// Checks the playlist at `path` and all that it names.
  /// - Throws: ``MediaError`` when `path` itself is no playlist.
  mutating func check(_ path: String) throws {
    let playlist = try LocalPlaylist(path: path)
    guard playlist.playlists.isEmpty else {
      for path in playlist.playlists {
        do {
          check(try LocalPlaylist(path: path), PlaylistValidator.name(path))
        } catch let error as MediaError {
          note("missing", PlaylistValidator.name(path), error.message)
        }
      }
      return
    }
    check(playlist, PlaylistValidator.name(path))
  }

  private mutating func check(_ playlist: LocalPlaylist, _ name: String) {
    if !playlist.isComplete { note("end-list", name, "EXT-X-ENDLIST is missing") }
    guard let target = playlist.targetDuration else {
      return note("target-duration", name, "EXT-X-TARGETDURATION is missing")
    }
    for (index, segment) in playlist.segments.enumerated() {
      let seconds = (segment.duration + 500_000_000) / 1_000_000_000
      if seconds > Int64(target) {
        note(
          "target-duration", "\(name)/segment[\(index + 1)]",
          "lasts \(seconds) s, EXT-X-TARGETDURATION is \(target)")
      }
    }
    segmentCount += playlist.segments.count
    for path in Set(playlist.segments.map(\.path)).sorted() {
      checkMedia(path, playlist.segments.filter { $0.path == path }, name)
    }
    if isolate { playAlone(playlist.segments, name) }
  }

  /// Segments of one file.
  private mutating func checkMedia(
    _ path: String, _ segments: [LocalPlaylist.Segment], _ name: String
  ) {
    let file: LocalFile
    do { file = try MediaFile.locate(path) } catch {
      return note("missing", name, (error as? MediaError)?.message ?? "\(error)")
    }
    for (index, segment) in segments.enumerated() {
      guard let range = segment.range, range.upperBound > file.size else { continue }
      note(
        "byte-range", "\(name)/segment[\(index + 1)]",
        "reaches to byte \(range.upperBound) of \(file.size)")
    }
    let source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
    guard let reader = FragmentedMovieReader(source) else { return }
    for finding in FragmentedMovieCheck(source).findings {
      note(
        finding.code.rawValue, "\(PlaylistValidator.name(path))/\(finding.path)", finding.message)
    }
    checkExtents(reader, segments, name, file.size)
    checkLengths(reader, segments, name)
  }

  /// Each segment begins where a fragment does and ends where the next begins.
  private mutating func checkExtents(
    _ reader: FragmentedMovieReader, _ segments: [LocalPlaylist.Segment], _ name: String,
    _ size: Int64
  ) {
    var starts: [Int64] = []
    var end: Int64 = 0
    reader.forEachFragment { fragment in
      starts.append(fragment.offset)
      end = fragment.data?.end ?? fragment.box.end
      return true
    }
    let bounds = starts + [end]
    let initial = segments.first?.map?.range
    if let initial, let first = starts.first, initial.upperBound > first || initial.lowerBound != 0
    {
      note("byte-range", "\(name)/map", "ends at byte \(initial.upperBound), not at \(first)")
    }
    for (index, segment) in segments.enumerated() {
      guard let range = segment.range else { continue }
      let place = "\(name)/segment[\(index + 1)]"
      if !starts.contains(range.lowerBound) {
        note(
          "segment-boundary", place, "begins at byte \(range.lowerBound), where no fragment does")
      }
      if !bounds.contains(range.upperBound), range.upperBound <= size {
        note("segment-boundary", place, "ends at byte \(range.upperBound), where no fragment does")
      }
      let before = index > 0 ? segments[index - 1].range?.upperBound : starts.first
      if let before, before != range.lowerBound {
        note("byte-range", place, "begins at byte \(range.lowerBound) instead of \(before)")
      }
    }
  }

  /// EXTINF values add up to the end of the track.
  private mutating func checkLengths(
    _ reader: FragmentedMovieReader, _ segments: [LocalPlaylist.Segment], _ name: String
  ) {
    guard let track = reader.tracks.first, let edit = track.edits.first else { return }
    let sum = segments.reduce(Int64(0)) { $0 + $1.duration } / 1000
    let wanted = MediaTime.rescale(edit.duration, by: 1_000_000, over: reader.timescale)
    guard (sum - wanted).magnitude > UInt64(PlaylistValidator.slack) else { return }
    note("extinf-sum", name, "segments last \(sum) µs in all, the track \(wanted) µs")
  }

  private mutating func playAlone(_ segments: [LocalPlaylist.Segment], _ name: String) {
    for (index, segment) in segments.enumerated() {
      guard let map = segment.map else { continue }
      do {
        let parts = try [(map.path, map.range), (segment.path, segment.range)].map { path, range in
          (try MediaFile.locate(path), range)
        }
        if let fault = try IsolatedSegment(parts).fault {
          note("isolate", "\(name)/segment[\(index + 1)]", fault)
        }
      } catch {
        let sentence = (error as? MediaError)?.message ?? "\(error)"
        note("isolate", "\(name)/segment[\(index + 1)]", sentence)
      }
    }
  }

  private mutating func note(_ code: String, _ path: String, _ message: String) {
    guard findings.count < FragmentedMovieCheck.limit else { return }
    findings.append(ValidationReport.Finding(code: code, path: path, message: message))
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
