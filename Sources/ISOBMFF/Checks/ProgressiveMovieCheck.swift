// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Checks a movie whose samples lie in tables against itself: structure, counts, times and places (ISO/IEC 14496-12, 8.6 and 8.7).
/// At most ``FragmentedMovieCheck/limit`` findings are kept.
package struct ProgressiveMovieCheck {
  /// The faults found, in the order of the checks.
  package private(set) var findings: [MovieFinding] = []

  /// Checks the movie in `source`.
  package init(_ source: ByteSource) {
    var structure = BoxStructureCheck(source, limit: FragmentedMovieCheck.limit)
    structure.run()
    for finding in structure.findings { note(finding.code, finding.path, finding.message) }
    guard let reader = ProgressiveMovieReader(source) else {
      note(.noMovie, "moov", "there is none")
      return
    }
    for (index, track) in reader.movie.tracks.enumerated() {
      check(track, reader.tables[index], "moov/trak[\(index + 1)]", reader.movie)
    }
    checkDurations(reader.movie)
    checkPlaces(reader, source)
  }

  private mutating func note(_ code: MovieFinding.Code, _ path: String, _ message: String) {
    guard findings.count < FragmentedMovieCheck.limit else { return }
    findings.append(MovieFinding(code: code, path: path, message: message))
  }

  private mutating func check(
    _ track: FragmentedTrack, _ tables: ReadSampleTables?, _ path: String,
    _ movie: FragmentedMovieReader
  ) {
    guard let tables else { return note(.sampleTable, path, "without sample tables") }
    checkCounts(tables, path)
    if let covered = tables.rollSamples, covered != tables.statedCount || track.rollDistance == nil
    {
      note(.rollGroup, path, "covers \(covered) of \(tables.statedCount) samples")
    }
    let duration = tables.durations.reduce(Int64(0)) {
      Saturating.sum($0, Saturating.product($1.count, $1.value))
    }
    if track.mediaDuration != duration {
      note(
        .sampleTable, "\(path)/mdia/mdhd",
        "\(track.mediaDuration) ticks, the samples last \(duration)")
    }
    var end = duration
    if !tables.offsets.isEmpty {
      // Pictures end with the one that is shown last, which may last longer than until the next one is decoded.
      let longest = 2 * (tables.durations.map(\.value).max() ?? 0)
      tables.forEachTime { end = max(end, Saturating.sum(Saturating.sum($0, $1), longest)) }
    }
    checkEdits(track, end, "\(path)/edts/elst", movie)
  }

  /// Checks that all tables of a track list the same samples.
  private mutating func checkCounts(_ tables: ReadSampleTables, _ path: String) {
    let count = tables.statedCount
    func sum(_ runs: [ReadSampleTables.Run]) -> Int64 {
      runs.reduce(0) { Saturating.sum($0, $1.count) }
    }
    var counts = [
      ("stsz", tables.count), ("stts", sum(tables.durations)), ("stsc", tables.chunkSamples),
    ]
    if !tables.offsets.isEmpty { counts.append(("ctts", sum(tables.offsets))) }
    for (box, found) in counts where found != count {
      note(.sampleTable, "\(path)/\(box)", "\(found) samples instead of \(count)")
    }
    if let negative = tables.offsets.first(where: { $0.value < 0 }) {
      note(
        .sampleTable, "\(path)/ctts",
        "\(negative.value) ticks; samples can't be shown before they are decoded")
    }
    guard let syncs = tables.syncs else { return }
    let ascend = zip(syncs, syncs.dropFirst()).allSatisfy { $0 < $1 }
    if !ascend || syncs.first.map({ $0 < 1 }) == true || syncs.last.map({ $0 > count }) == true {
      note(.sampleTable, "\(path)/stss", "its numbers don't ascend from 1 to \(count)")
    }
  }

  /// Checks that the track has one edit of its media, behind an empty one where it begins late, and no more media than it has.
  private mutating func checkEdits(
    _ track: FragmentedTrack, _ end: Int64, _ path: String, _ movie: FragmentedMovieReader
  ) {
    guard !track.edits.isEmpty else { return }
    let media = track.edits.drop { $0.mediaTime == -1 }
    guard media.count == 1, let edit = media.first, edit.mediaTime >= 0, !edit.changesSpeed else {
      return note(.editList, path, "\(track.edits.count) edits, or one that isn't plain")
    }
    let presented = Saturating.rescale(edit.duration, by: track.timescale, over: movie.timescale)
    // The edit counts in the movie's ticks, which may be coarser than the track's.
    let slack = track.timescale == movie.timescale ? 0 : track.timescale / movie.timescale + 1
    let left = Saturating.difference(end, edit.mediaTime)
    if presented > Saturating.sum(max(0, left), slack) {
      note(.editDuration, path, "\(presented) ticks, the samples end \(left) after media time")
    }
    let total = track.edits.reduce(Int64(0)) { Saturating.sum($0, $1.duration) }
    // Other writers round both by themselves.
    if Saturating.difference(track.duration, total).magnitude > 1 {
      note(.editDuration, path, "\(total) ticks in all, tkhd states \(track.duration)")
    }
  }

  /// Checks that `mvhd` states the longest presentation, or the longest media with its start-up samples.
  private mutating func checkDurations(_ movie: FragmentedMovieReader) {
    let ends = movie.tracks.map { track in
      let skipped = track.edits.last.map { max(0, $0.mediaTime) } ?? 0
      return (
        track.duration,
        Saturating.sum(
          track.duration, Saturating.rescale(skipped, by: movie.timescale, over: track.timescale))
      )
    }
    let (shown, media) = (ends.map(\.0).max() ?? 0, ends.map(\.1).max() ?? 0)
    if Saturating.difference(movie.duration, shown).magnitude > 1,
      Saturating.difference(movie.duration, media).magnitude > 1
    {
      note(.movieDuration, "moov/mvhd", "\(movie.duration) ticks, the tracks last \(shown)")
    }
  }

  /// Checks that the chunks of all tracks cover the media data exactly once, those of each track in order.
  private mutating func checkPlaces(_ reader: ProgressiveMovieReader, _ source: ByteSource) {
    var data: [BoxHeader] = []
    FragmentedMovieReader.forEachBox(reader.movie.scanner, source.size) { box, _ in
      if box.type == "mdat" { data.append(box) }
      return data.count < BoxScanner.limit
    }
    var all: [ReadSampleTables.Chunk] = []
    for (index, tables) in reader.tables.enumerated() {
      let chunks = (tables?.chunks ?? []).filter { $0.size > 0 }
      if zip(chunks, chunks.dropFirst()).contains(where: { $0.offset > $1.offset }) {
        note(.dataOffset, "moov/trak[\(index + 1)]", "its chunks aren't in order")
      }
      all += chunks
    }
    all.sort { $0.offset < $1.offset }
    var next = all[...]
    for box in data {
      var place = box.payload
      while let chunk = next.first, chunk.offset < box.end {
        let end = Saturating.sum(chunk.offset, chunk.size)
        if chunk.offset < place || end > box.end {
          note(
            .dataOffset, "mdat",
            "samples at \(chunk.offset)..<\(end), free from \(place) to \(box.end)")
        } else if chunk.offset > place {
          note(.dataSize, "mdat", "no sample has the bytes \(place)..<\(chunk.offset)")
        }
        place = max(place, end)
        next.removeFirst()
      }
      if place < box.end {
        note(.dataSize, "mdat", "no sample has the bytes \(place)..<\(box.end)")
      }
    }
    if let chunk = next.first {
      note(.dataOffset, "mdat", "samples at \(chunk.offset), after all media data")
    }
  }
}
