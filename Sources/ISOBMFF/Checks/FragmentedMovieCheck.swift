// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Checks a fragmented movie against itself: structure, times, places and sums (ISO/IEC 14496-12,
/// clause 8). Meant for movies whose samples all lie in fragments: ``fragmentCount`` is 0 where there
/// are none, and findings on durations mean nothing then. Memory stays flat; at most ``limit`` findings are kept.
package struct FragmentedMovieCheck {
  /// Findings kept at most.
  package static let limit = 1000

  /// Sums over one track's fragments.
  private struct Sum {
    var begin: Int64?
    var end: Int64 = 0
    var duration: Int64 = 0
    /// Time at which the last picture ends, counted from the first sample's decoding.
    var shown: Int64 = 0
    /// Longest sample.
    var longest: Int64 = 0

    /// Adds runs of samples that follow those before.
    mutating func add(_ runs: [SampleRun]) {
      for run in runs {
        duration = Saturating.sum(duration, run.duration)
        shown = max(shown, Saturating.sum(duration, run.sample.compositionOffset))
        longest = max(longest, run.sample.duration)
      }
    }
  }

  /// The faults found, in the order of the checks.
  package private(set) var findings: [MovieFinding] = []
  /// Number of fragments.
  package private(set) var fragmentCount = 0
  private var sums: [Int: Sum] = [:]
  private var lastNumber = 0

  /// Checks the movie in `source`.
  package init(_ source: ByteSource) {
    var structure = BoxStructureCheck(source, limit: FragmentedMovieCheck.limit)
    structure.run()
    for finding in structure.findings { note(finding.code, finding.path, finding.message) }
    guard let reader = FragmentedMovieReader(source) else {
      note(.noMovie, "moov", "there is none")
      return
    }
    var segments = SegmentIndexCheck(reader)
    reader.forEachFragment { fragment in
      check(fragment, reader)
      segments?.add(fragment)
      return findings.count < FragmentedMovieCheck.limit
    }
    segments?.finish()
    for (index, track) in reader.tracks.enumerated() { check(track, index + 1, reader) }
    checkDurations(reader)
    var index = FragmentIndexCheck(reader.scanner, source.size)
    index.run()
    for finding in (segments?.findings ?? []) + index.findings {
      note(finding.code, finding.path, finding.message)
    }
  }

  private mutating func note(
    _ code: MovieFinding.Code, _ path: String, _ message: String
  ) {
    guard findings.count < FragmentedMovieCheck.limit else { return }
    findings.append(MovieFinding(code: code, path: path, message: message))
  }

  private mutating func check(_ fragment: MovieFragment, _ reader: FragmentedMovieReader) {
    fragmentCount += 1
    let path = "moof[\(fragmentCount)]"
    for box in fragment.malformed {
      note(.malformedBox, path, "\(box) is shorter or longer than its fields")
    }
    if fragment.sequenceNumber <= lastNumber {
      note(.sequence, path, "number \(fragment.sequenceNumber) follows \(lastNumber)")
    }
    lastNumber = fragment.sequenceNumber
    for (index, track) in fragment.tracks.enumerated() {
      check(track, "\(path)/traf[\(index + 1)]", reader)
    }
    checkData(fragment, path)
  }

  private mutating func check(
    _ fragment: TrackFragment, _ path: String, _ reader: FragmentedMovieReader
  ) {
    guard let track = reader.tracks.first(where: { $0.id == fragment.trackID }) else {
      return note(.unknownTrack, path, "track \(fragment.trackID)")
    }
    var sum = sums[fragment.trackID] ?? Sum()
    if let time = fragment.baseDecodeTime {
      if sum.begin != nil, time != sum.end {
        note(.decodeTime, path, "begins at \(time) instead of \(sum.end)")
      }
      sum.begin = sum.begin ?? time
      sum.end = time
    } else {
      note(.decodeTime, path, "without tfdt")
    }
    sum.begin = sum.begin ?? sum.end
    sum.end = Saturating.sum(sum.end, fragment.duration)
    sum.add(fragment.samples)
    sums[fragment.trackID] = sum
    if let covered = fragment.rollSamples,
      covered != fragment.sampleCount || track.rollDistance == nil
    {
      note(.rollGroup, path, "covers \(covered) of \(fragment.sampleCount) samples")
    }
  }

  private mutating func checkData(_ fragment: MovieFragment, _ path: String) {
    let total = fragment.tracks.reduce(Int64(0)) { Saturating.sum($0, $1.dataSize) }
    guard let data = fragment.data else {
      if total > 0 { note(.dataOffset, path, "no mdat follows") }
      return
    }
    for (index, track) in fragment.tracks.enumerated() {
      for extent in track.extents where extent.size > 0 {
        let end = Saturating.sum(extent.offset, extent.size)
        guard extent.offset < data.payload || end > data.end else { continue }
        note(
          .dataOffset, "\(path)/traf[\(index + 1)]",
          "samples at \(extent.offset)..<\(end), mdat at \(data.payload)..<\(data.end)")
      }
    }
    if total != Int64(data.payloadSize) {
      note(.dataSize, path, "samples of \(total) bytes, mdat of \(data.payloadSize)")
    }
  }

  /// Checks that the track has one edit, which ends with its samples.
  private mutating func check(
    _ track: FragmentedTrack, _ number: Int, _ reader: FragmentedMovieReader
  ) {
    let path = "moov/trak[\(number)]/edts/elst"
    guard track.edits.count == 1, let edit = track.edits.first, edit.mediaTime >= 0,
      !edit.changesSpeed
    else { return note(.editList, path, "\(track.edits.count) edits, or one that isn't plain") }
    let presented = end(of: track)
    let stated = Saturating.rescale(edit.duration, by: track.timescale, over: reader.timescale)
    // The edit counts in the movie's ticks, which may be coarser than the track's.
    let slack =
      track.timescale == reader.timescale ? 0 : track.timescale / reader.timescale + 1
    if track.handler == "vide" { return checkPictures(track, path, stated, slack) }
    if Saturating.difference(stated, presented).magnitude > slack.magnitude {
      note(.editDuration, path, "\(stated) ticks, the samples end \(presented) after media time")
    }
  }

  /// Checks the edit of a video track. Pictures after its end may exist only for the decoding of
  /// others, and a picture lasts until the next one is shown, which may not be the next one
  /// decoded. So only an edit that is longer than the pictures is a fault.
  private mutating func checkPictures(
    _ track: FragmentedTrack, _ path: String, _ stated: Int64, _ slack: Int64
  ) {
    let sum = sums[track.id] ?? Sum()
    let begin = Saturating.difference(sum.begin ?? 0, track.edits.first?.mediaTime ?? 0)
    let end = Saturating.sum(begin, Saturating.sum(sum.shown, slack))
    if stated > Saturating.sum(end, sum.longest) || stated <= 0 {
      note(.editDuration, path, "\(stated) ticks, the pictures end after \(end)")
    }
  }

  /// Ticks from a track's media time to the end of its samples, so that a late beginning counts.
  /// Video ends with its edit, which is checked against its pictures.
  private func end(of track: FragmentedTrack) -> Int64 {
    let sum = sums[track.id] ?? Sum()
    let end = Saturating.sum(sum.begin ?? 0, sum.duration)
    return max(0, Saturating.difference(end, track.edits.first?.mediaTime ?? 0))
  }

  /// Checks that `mvhd` states the longest presentation, and `mehd` that or the longest media.
  private mutating func checkDurations(_ reader: FragmentedMovieReader) {
    let ends = reader.tracks.map { track in
      if track.handler == "vide", let edit = track.edits.first { return edit.duration }
      return Saturating.rescale(end(of: track), by: reader.timescale, over: track.timescale)
    }
    let longest = ends.max() ?? 0
    let media = zip(reader.tracks, ends).map { track, end in
      let delay = track.edits.first?.mediaTime ?? 0
      return Saturating.sum(
        end, Saturating.rescale(delay, by: reader.timescale, over: track.timescale))
    }
    if let stated = reader.fragmentDuration,
      Saturating.difference(stated, longest).magnitude > 1,
      Saturating.difference(stated, media.max() ?? 0).magnitude > 1
    {
      note(.movieDuration, "moov/mvex/mehd", "\(stated) ticks, the tracks last \(longest)")
    }
    if reader.duration != 0, Saturating.difference(reader.duration, longest).magnitude > 1 {
      note(.movieDuration, "moov/mvhd", "\(reader.duration) ticks, the tracks last \(longest)")
    }
  }
}

/// Checks that the index at a file's end points at fragments (ISO/IEC 14496-12, 8.8.9 to 8.8.11).
struct FragmentIndexCheck {
  private let scanner: BoxScanner
  private let fileSize: Int64
  private(set) var findings: [MovieFinding] = []

  init(_ scanner: BoxScanner, _ fileSize: Int64) {
    self.scanner = scanner
    self.fileSize = fileSize
  }

  /// Checks `mfra` if there is one.
  mutating func run() {
    var found: (box: BoxHeader, offset: Int64)?
    FragmentedMovieReader.forEachBox(scanner, fileSize) { box, offset in
      if box.type == "mfra" { found = (box, offset) }
      return found == nil
    }
    guard let (index, offset) = found else { return }
    let children = scanner.boxes(from: index.payload, to: index.end)
    for (number, table) in children.filter({ $0.type == "tfra" }).prefix(256).enumerated() {
      check(table, "mfra/tfra[\(number + 1)]")
    }
    guard let size = children.last, size.type == "mfro" else {
      return note("mfra", "doesn't end with mfro")
    }
    let stated = Int64(scanner.payload(size, limit: 8).bigEndian32(at: 4))
    if stated != index.end - offset || index.end != fileSize {
      note("mfra/mfro", "says \(stated) bytes, mfra has \(index.end - offset) at the file's end")
    }
  }

  private mutating func check(_ table: BoxHeader, _ path: String) {
    let bytes = scanner.payload(table, limit: 1 << 24)
    let lengths = bytes.bigEndian32(at: 8)
    let numbers = (0..<3).reduce(0) { $0 + Int(lengths >> UInt32(2 * $1) & 3) + 1 }
    let isLong = bytes.first == 1
    let width = (isLong ? 16 : 8) + numbers
    let count = Int(bytes.bigEndian32(at: 12))
    if bytes.count != 16 + count * width {
      note(path, "\(bytes.count) bytes don't hold \(count) entries")
    }
    for entry in 0..<min(count, max(0, bytes.count - 16) / width) {
      let place = 16 + entry * width
      let offset =
        isLong
        ? Int64(clamping: bytes.bigEndian64(at: place + 8))
        : Int64(bytes.bigEndian32(at: place + 4))
      guard scanner.box(at: offset, before: fileSize)?.type != "moof" else { continue }
      note(path, "entry \(entry + 1) points at \(offset), where no moof begins")
      guard findings.count < FragmentedMovieCheck.limit else { return }
    }
  }

  private mutating func note(_ path: String, _ message: String) {
    findings.append(MovieFinding(code: .index, path: path, message: message))
  }
}

/// Checks that boxes fill their parents exactly (ISO/IEC 14496-12, 4.2).
struct BoxStructureCheck {
  /// Boxes that contain boxes only, and the number of bytes before the first one.
  private static let containers: [String: Int64] = [
    "moov": 0, "trak": 0, "edts": 0, "mdia": 0, "minf": 0, "dinf": 0, "stbl": 0, "mvex": 0,
    "moof": 0, "traf": 0, "mfra": 0, "udta": 0, "ludt": 0, "ilst": 0, "meta": 4, "stsd": 8,
    "dref": 8,
  ]
  /// Levels of boxes that are checked; this bounds the recursion.
  private static let deepest = 8
  /// Boxes visited in all; this bounds the time that a file full of empty boxes takes.
  private static let mostBoxes = 10_000_000

  private let source: ByteSource
  private let scanner: BoxScanner
  private let limit: Int
  private var seen = 0
  private(set) var findings: [MovieFinding] = []

  init(_ source: ByteSource, limit: Int) {
    self.source = source
    scanner = BoxScanner(source)
    self.limit = limit
  }

  mutating func run() { walk(from: 0, to: source.size, path: "", depth: 0) }

  private mutating func walk(from start: Int64, to end: Int64, path: String, depth: Int) {
    var offset = start
    while offset < end, seen < BoxStructureCheck.mostBoxes, findings.count < limit {
      guard let box = scanner.box(at: offset, before: end) else {
        return note(path, "\(end - offset) bytes at \(offset) are no box")
      }
      seen += 1
      let name = path.isEmpty ? box.shownType : "\(path)/\(box.shownType)"
      if box.isTruncated { note(name, "reaches beyond its parent's end at \(end)") }
      if let skipped = BoxStructureCheck.containers[box.type], depth < BoxStructureCheck.deepest {
        if box.end - box.payload < skipped {
          note(name, "\(box.payloadSize) bytes are too few")
        } else {
          walk(from: box.payload + skipped, to: box.end, path: name, depth: depth + 1)
        }
      }
      offset = box.end
    }
  }

  private mutating func note(_ path: String, _ message: String) {
    findings.append(
      MovieFinding(
        code: .malformedBox, path: path.isEmpty ? "file" : path, message: message))
  }
}

/// A fault of a movie.
package struct MovieFinding: Sendable, Equatable, CustomStringConvertible {
  /// The kind of fault.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// There is no `moov` box.
    case noMovie = "no-movie"
    /// A box reaches beyond its parent, leaves bytes over or is too short for its stated content.
    case malformedBox = "malformed-box"
    /// Fragments aren't numbered in ascending order.
    case sequence
    /// A fragment's samples belong to a track that doesn't exist.
    case unknownTrack = "unknown-track"
    /// A fragment doesn't begin where the track's last one ended, or doesn't state its beginning.
    case decodeTime = "decode-time"
    /// The tables of a track's samples contradict each other, or its header.
    case sampleTable = "sample-table"
    /// A track has not exactly one edit of media at normal speed.
    case editList = "edit-list"
    /// A track's edit has another length than its samples have.
    case editDuration = "edit-duration"
    /// Samples lie outside the media data that follow their fragment, or that the movie has.
    case dataOffset = "data-offset"
    /// The samples' sizes don't sum up to the media data.
    case dataSize = "data-size"
    /// The stated length of the movie isn't that of its tracks.
    case movieDuration = "movie-duration"
    /// A roll group covers another number of samples than there are, or isn't described.
    case rollGroup = "roll-group"
    /// The index at the end, or in front of the fragments, points at something else than a fragment, states other times, or is
    /// built wrongly.
    case index
  }

  /// The kind of fault.
  package let code: Code
  /// Path to the fault, as types of boxes from the top with numbers from 1, e.g. `moof[3]/traf[1]`.
  package let path: String
  /// Description of the fault, with figures.
  package let message: String

  /// All in one line.
  package var description: String { "\(code.rawValue): \(path): \(message)" }
}
