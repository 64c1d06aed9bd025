// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import MediaIn
import Platform
import Report

/// Checks the playlists of HLS against the media they name: that their text keeps the rules, that every
/// segment is a whole fragment, that the segments tile their file, and that their lengths add up (RFC 8216, 4.3 and 6.2.1).
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
      checkText(playlist, SegmentedMedia.lastName(path))
      for path in playlist.playlists {
        do {
          check(try LocalPlaylist(path: path), SegmentedMedia.lastName(path))
        } catch let error as MediaError {
          note("missing", SegmentedMedia.lastName(path), error.message)
        }
      }
      return
    }
    check(playlist, SegmentedMedia.lastName(path))
  }

  private mutating func checkText(_ playlist: LocalPlaylist, _ name: String) {
    if playlist.hasByteOrderMark {
      note("byte-order-mark", name, "begins with a byte order mark, which RFC 8216, 4.1 forbids")
    }
    for flaw in playlist.flaws {
      note(
        flaw.code.rawValue, flaw.line.map { "\(name)/line[\($0)]" } ?? name, flaw.message)
    }
  }

  private mutating func check(_ playlist: LocalPlaylist, _ name: String) {
    checkText(playlist, name)
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
    for segments in SegmentedMedia.groups(playlist.segments) { checkMedia(segments, name) }
    if isolate { playAlone(playlist.segments, name) }
  }

  /// Checks the segments of one movie.
  private mutating func checkMedia(_ segments: [LocalPlaylist.Segment], _ name: String) {
    let media: SegmentedMedia
    do { media = try SegmentedMedia(segments) } catch {
      return note("missing", name, (error as? MediaError)?.message ?? "\(error)")
    }
    // The boxes after a cut are those of another place; each would be a finding that leads nowhere.
    if noteCuts(segments) { return }
    for (index, range) in media.ranges.enumerated() {
      guard let range, range.upperBound > media.source.size else { continue }
      note(
        "byte-range", "\(name)/segment[\(index + 1)]",
        "reaches to byte \(range.upperBound) of \(media.source.size)")
    }
    guard let reader = FragmentedMovieReader(media.source) else { return }
    for finding in FragmentedMovieCheck(media.source).findings {
      note(finding.code.rawValue, "\(media.name)/\(finding.path)", finding.message)
    }
    checkExtents(reader, media, name)
    checkLengths(reader, media, name)
  }

  /// Notes files that end inside a box; `false` for none.
  private mutating func noteCuts(_ segments: [LocalPlaylist.Segment]) -> Bool {
    // Packed audio and text aren't made of boxes.
    guard let map = segments[0].map else { return false }
    var isCut = false
    var seen: Set<PathName> = []
    for path in [map.path] + segments.map(\.path) where seen.insert(PathName(path)).inserted {
      guard let file = try? MediaFile.locate(path) else { continue }
      let source = file.source
      let last = BoxScanner(source).boxes().last
      guard last?.isTruncated ?? true || last?.end != file.size else { continue }
      let place = last.map { $0.isTruncated ? "inside \($0.shownType)" : "inside a box's header" }
      note(
        "cut", SegmentedMedia.lastName(path),
        "the file ends early, \(place ?? "before its first box is whole"), after \(file.size) bytes: copy it again"
      )
      isCut = true
    }
    return isCut
  }

  /// Checks that each segment begins where a fragment does and ends where the next begins; boxes
  /// such as `styp` may stand before a fragment, and an index of the whole file before all of them.
  private mutating func checkExtents(
    _ reader: FragmentedMovieReader, _ media: SegmentedMedia, _ name: String
  ) {
    var bounds: Set<Int64> = []
    var first: Int64?
    reader.forEachFragment { fragment in
      first = first ?? fragment.offset
      bounds.formUnion([fragment.offset, fragment.data?.end ?? fragment.box.end])
      return true
    }
    guard let first else { return }
    let header = media.initialization?.upperBound ?? first
    if media.initialization?.lowerBound ?? 0 != 0 || header > first {
      note("byte-range", "\(name)/map", "ends at byte \(header), not at \(first)")
    }
    bounds.insert(header)
    let between = BoxScanner(media.source).boxes(from: header, to: first).map(\.type)
    let isIndex = !between.isEmpty && between.allSatisfy { ["sidx", "free"].contains($0) }
    var before = header
    for (index, range) in media.ranges.enumerated() {
      guard let range else { continue }
      if index == 0, isIndex, range.lowerBound == first { before = first }
      let place = "\(name)/segment[\(index + 1)]"
      if !bounds.contains(range.lowerBound) {
        note(
          "segment-boundary", place, "begins at byte \(range.lowerBound), where no fragment does")
      }
      if !bounds.contains(range.upperBound), range.upperBound <= media.source.size {
        note("segment-boundary", place, "ends at byte \(range.upperBound), where no fragment does")
      }
      if before != range.lowerBound {
        note("byte-range", place, "begins at byte \(range.lowerBound) instead of \(before)")
      }
      before = range.upperBound
    }
  }

  /// Checks that EXTINF values add up to the end of the track.
  private mutating func checkLengths(
    _ reader: FragmentedMovieReader, _ media: SegmentedMedia, _ name: String
  ) {
    guard let track = reader.tracks.first, let edit = track.edits.first else { return }
    let sum = media.durations.reduce(0, +) / 1000
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
}

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
      source = file.source
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

/// One segment with its initialisation section and nothing else, to see whether it plays alone.
struct IsolatedSegment {
  /// Fault of the segment; `nil` when all of its sound can be decoded and its pictures begin with a key
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
    let source = file.source
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
