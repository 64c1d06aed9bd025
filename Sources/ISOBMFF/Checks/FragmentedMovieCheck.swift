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
  package private(set) var findings: [FragmentedMovieFinding] = []
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
    reader.forEachFragment { fragment in
      check(fragment, reader)
      return findings.count < FragmentedMovieCheck.limit
    }
    for (index, track) in reader.tracks.enumerated() { check(track, index + 1, reader) }
    checkDurations(reader)
    var index = FragmentIndexCheck(reader.scanner, source.size)
    index.run()
    for finding in index.findings { note(finding.code, finding.path, finding.message) }
  }

  private mutating func note(
    _ code: FragmentedMovieFinding.Code, _ path: String, _ message: String
  ) {
    guard findings.count < FragmentedMovieCheck.limit else { return }
    findings.append(FragmentedMovieFinding(code: code, path: path, message: message))
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
