// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Checks that the index in front of the fragments (`sidx`, ISO/IEC 14496-12, 8.16.3) has their places and times.
struct SegmentIndexCheck {
  /// Boxes that may stand between the beginning of an entry and its first fragment.
  private static let beginnings: Set<String> = ["moof", "styp", "prft", "emsg"]

  private let scanner: BoxScanner
  private let fileSize: Int64
  private let index: SegmentIndexBox
  private let track: FragmentedTrack
  /// End of the presentation of ``track``, in ticks of the index.
  private let end: (time: Int64, slack: Int64)
  /// Offset and time at which the entry after ``entry`` begins.
  private var next: (offset: Int64, time: Int64)
  /// Number of the entry whose fragments are read, from 1.
  private var entry = 0
  /// End of the last fragment.
  private var lastEnd: Int64
  private(set) var findings: [MovieFinding] = []

  /// Checks the one index in front of the fragments of `reader`; `nil` without one, and for several, each of which may be for a
  /// part of the file.
  init?(_ reader: FragmentedMovieReader) {
    var found: [BoxHeader] = []
    FragmentedMovieReader.forEachBox(reader.scanner, reader.source.size) { box, _ in
      if box.type == "sidx" { found.append(box) }
      return box.type != "moof"
    }
    guard found.count == 1, let box = found.first else { return nil }
    // The box holds 65,535 entries of 12 bytes at most.
    guard let index = SegmentIndexBox(payload: reader.scanner.payload(box)),
      let track = reader.tracks.first(where: { $0.id == index.trackID })
    else { return nil }
    self.index = index
    self.track = track
    scanner = reader.scanner
    fileSize = reader.source.size
    let duration = track.edits.first?.duration ?? 0
    end = (
      Saturating.rescale(duration, by: index.timescale, over: reader.timescale),
      // The edit counts in the movie's ticks, which may be coarser.
      index.timescale == reader.timescale ? 0 : index.timescale / reader.timescale + 1
    )
    next = (Saturating.sum(box.end, index.firstOffset), index.earliestTime)
    lastEnd = next.offset
  }

  /// Checks the entry of the next fragment.
  mutating func add(_ fragment: MovieFragment) {
    defer { lastEnd = fragment.data?.end ?? fragment.box.end }
    guard entry == 0 || fragment.offset >= next.offset, entry < index.entries.count else { return }
    let path = "sidx[\(entry + 1)]"
    let begin = next
    if let box = scanner.box(at: begin.offset, before: fileSize),
      SegmentIndexCheck.beginnings.contains(box.type), begin.offset <= fragment.offset
    {
      check(begin.time, fragment, path)
    } else {
      note(path, "begins at \(begin.offset), where no fragment does")
    }
    let values = index.entries[entry]
    next = (Saturating.sum(begin.offset, values.size), Saturating.sum(begin.time, values.duration))
    entry += 1
  }

  /// Compares the time at which an entry begins with that of its first sample.
  private mutating func check(_ time: Int64, _ fragment: MovieFragment, _ path: String) {
    guard let run = fragment.tracks.first(where: { $0.trackID == track.id }),
      let first = run.samples.first, let base = run.baseDecodeTime
    else { return note(path, "has no sample of track \(track.id)") }
    // The picture that is presented first may be another than the one decoded first.
    guard entry > 0 || track.handler == "soun" else { return }
    let presented = Saturating.difference(
      Saturating.sum(base, first.sample.compositionOffset), track.edits.first?.mediaTime ?? 0)
    if time != max(0, presented) {
      note(path, "begins at \(time) ticks, its samples at \(max(0, presented))")
    }
  }

  /// Checks what only shows after the last fragment.
  mutating func finish() {
    if entry < index.entries.count {
      note("sidx", "\(index.entries.count) entries, but \(entry) fragments are where they say")
    } else if next.offset != lastEnd {
      note("sidx", "ends at \(next.offset), the fragments at \(lastEnd)")
    }
    if Saturating.difference(next.time, end.time).magnitude > end.slack.magnitude {
      note("sidx", "ends after \(next.time) ticks, the presentation after \(end.time)")
    }
  }

  private mutating func note(_ path: String, _ message: String) {
    guard findings.count < FragmentedMovieCheck.limit else { return }
    findings.append(MovieFinding(code: .index, path: path, message: message))
  }
}
