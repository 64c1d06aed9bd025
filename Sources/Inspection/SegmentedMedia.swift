import AudioCore
import ISOBMFF
import LibAV
import MediaIn
import Platform

/// Segments of a media playlist that belong to one movie, with the bytes of that movie: the file
/// that they are ranges of, or the initialisation section followed by one file for each segment.
struct SegmentedMedia {
  /// Name for findings.
  let name: String
  /// The whole movie.
  let source: ByteSource
  /// The initialisation section's bytes in it; `nil` when it isn't stated.
  let initialization: Range<Int64>?
  /// The segments' bytes in it; `nil` where the playlist states none.
  let ranges: [Range<Int64>?]
  /// EXTINF of each in nanoseconds.
  let durations: [Int64]

  /// Segments in order, split where another movie begins.
  static func groups(_ segments: [LocalPlaylist.Segment]) -> [[LocalPlaylist.Segment]] {
    segments.reduce(into: []) { groups, segment in
      guard let last = groups.last?.last, last.map == segment.map,
        last.map.map({ PathName($0.path) }) != PathName(last.path)
          || PathName(last.path) == PathName(segment.path)
      else { return groups.append([segment]) }
      groups[groups.count - 1].append(segment)
    }
  }

  /// Opens the movie that `segments` belong to.
  /// - Parameter segments: one of ``groups(_:)``.
  /// - Throws: ``MediaError`` when a file is missing.
  init(_ segments: [LocalPlaylist.Segment]) throws {
    durations = segments.map(\.duration)
    let first = segments[0]
    guard let map = first.map, segments.contains(where: { PathName($0.path) != PathName(map.path) })
    else {
      let file = try MediaFile.locate(first.path)
      name = SegmentedMedia.lastName(first.path)
      source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
      initialization = first.map?.range
      ranges = segments.map(\.range)
      return
    }
    var files: [PathName: LocalFile] = [:]
    var parts: [(file: LocalFile, begin: Int64, place: Range<Int64>)] = []
    var end: Int64 = 0
    for (path, range) in [(map.path, map.range)] + segments.map({ ($0.path, $0.range) }) {
      let file = try files[PathName(path)] ?? MediaFile.locate(path)
      files[PathName(path)] = file
      let bytes = range ?? 0..<file.size
      parts.append((file, bytes.lowerBound, end..<end + Int64(bytes.count)))
      end += Int64(bytes.count)
    }
    let all = parts
    name = SegmentedMedia.lastName(map.path)
    initialization = all[0].place
    ranges = all.dropFirst().map(\.place)
    source = ByteSource(size: end) { offset, count in
      var found: [UInt8] = []
      for part in all where part.place.upperBound > offset && found.count < count {
        let start = offset + Int64(found.count)
        guard part.place.contains(start) else { continue }
        let wanted = min(count - found.count, Int(part.place.upperBound - start))
        found += part.file.bytes(
          at: part.begin + start - part.place.lowerBound, count: wanted)
      }
      return found
    }
  }

  /// The last part of a path.
  static func lastName(_ path: String) -> String {
    PathParts.of(path).last ?? path
  }
}
