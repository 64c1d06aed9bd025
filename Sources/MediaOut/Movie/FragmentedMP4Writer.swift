// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Platform

/// Writes a fragmented MP4 file (ISO/IEC 14496-12, 8.8) that all readers read alike.
///
/// Each track has exactly one edit, which begins after its priming and ends with its last valid
/// sample. A track that begins late has its start offset in its first `tfdt`, never in an empty
/// edit; its edit is longer by as much and also presents the part of its priming that lies in that
/// time. Composition offsets aren't negative. The last audio sample is cut so that the samples'
/// durations sum up to priming and valid duration. Place for a `sidx` is kept behind `moov` and filled at
/// the end; `mfra` at the end serves readers that begin there.
///
/// Equal samples give equal bytes. One fragment is held in memory, if the tracks are fed side
/// by side: a fragment waits until every audio and video track has come up to its end.
package final class FragmentedMP4Writer: TrackWriter {
  /// Records of the fragments written so far.
  package private(set) var fragments: [FragmentRecord] = []
  /// Bytes of `ftyp` and `moov`, which stand before the first fragment.
  package let initializationSize: Int64
  /// Bytes written so far.
  package private(set) var size: Int64
  /// Index of the track that decides where fragments begin.
  package let referenceTrack: Int
  /// Whether there may be more fragments than an index in front of them can list, so that there is none.
  package let exceedsIndex: Bool
  /// Ticks a second of that track, in which fragments state their times.
  package var timescale: Int { queues[referenceTrack].track.timescale }

  private enum State { case open, finished, failed }

  private let sink: ByteSink
  private let settings: FragmentedMP4Settings
  private let segmentType: [UInt8]
  private var queues: [TrackQueue]
  private var baseTimes: [Int64]
  private var index: [[FragmentIndexBox.Entry]]
  /// The fragments as the index in front of them lists them, and as how many it has place for: 0 for no index.
  private var segments: [SegmentIndexBox.Entry] = []
  private let mostSegments: Int
  private var cuts: [FragmentCut] = []
  private var nextMultiple: Int64
  private var begin: Int64
  private var state = State.open

  /// Writes `ftyp` and `moov`.
  /// - Throws: ``MediaError`` of kind `internal` for impossible tracks or settings, or whatever the
  ///   sink throws.
  package init(sink: ByteSink, tracks: [MovieTrack], settings: FragmentedMP4Settings) throws {
    try FragmentedMP4Writer.check(tracks, settings)
    let tracks = tracks.map { track in
      MovieTrack(track.facts.withPresentedPriming, sampleEntry: track.sampleEntry)
    }
    let facts = tracks.map(\.facts)
    self.sink = sink
    self.settings = settings
    referenceTrack = FragmentedMP4Writer.reference(of: facts)
    queues = facts.map { TrackQueue($0) }
    baseTimes = facts.map(\.startOffset)
    index = tracks.map { _ in [] }
    begin = facts[referenceTrack].startOffset
    nextMultiple = settings.fragmentDuration
    segmentType =
      settings.writesSegmentTypes
      ? FileTypeBox(
        .segment, majorBrand: "msdh", compatibleBrands: ["msdh"] + settings.compatibleBrands
      ).encoded : []
    let header = FragmentedMP4Writer.header(tracks, settings)
    initializationSize = Int64(header.count)
    let bound = FragmentedMP4Writer.mostFragments(facts[referenceTrack], settings)
    let wantsIndex = FragmentedMP4Writer.wantsIndex(facts[referenceTrack], settings)
    exceedsIndex = wantsIndex && bound > SegmentIndexBox.mostEntries
    mostSegments = wantsIndex && !exceedsIndex ? Int(bound) : 0
    size = 0
    try write(header + place(from: 0))
  }

  /// Fragments that there can be: one, and one more for each multiple of the fragment duration before the end.
  private static func mostFragments(
    _ track: OutputTrackFacts, _ settings: FragmentedMP4Settings
  ) -> Int64 {
    (track.priming + track.length) / settings.fragmentDuration + 1
  }

  /// Whether an index is to precede the fragments. Each segment file would need its own, which the playlist makes needless; no
  /// index can state times from which readers of a MediaSource take the priming away; and with one beside pictures, Chromium
  /// doesn't seek in a film of 3 h within 20 s.
  private static func wantsIndex(
    _ track: OutputTrackFacts, _ settings: FragmentedMP4Settings
  ) -> Bool {
    settings.writesIndex && track.statesPriming && track.kind != .pictures
  }

  /// The place for an index without its first `used` bytes, as a box that readers pass over; empty where nothing is left.
  private func place(from used: Int) -> [UInt8] {
    let room = mostSegments > 0 ? SegmentIndexBox.size(entries: mostSegments) - used : 0
    var builder = BoxBuilder()
    // The rest is 0 or the 12 bytes of some entries, so that a header of 8 has place.
    if room > 0 { builder.box("free") { $0.zeros(room - 8) } }
    return builder.bytes
  }

  /// Writes the index into its place. Any rest of that place lies in front of it, so that the first fragment follows the index at once.
  private func writeSegmentIndex() throws {
    guard let first = fragments.first, segments.count == fragments.count,
      segments.allSatisfy({ $0.duration <= Int64(UInt32.max) })
    else { return }
    let box = SegmentIndexBox(
      trackID: referenceTrack + 1, timescale: Int64(timescale), earliestTime: first.start,
      entries: segments
    ).encoded
    try sink.replace(at: initializationSize, by: place(from: box.count) + box)
  }

  /// Writes the same for tracks of any container, in fragments of at least `fragmentDuration`; `name` is the output's, for
  /// messages.
  /// - Throws: as the other initialiser, and where a track's configuration can't be used.
  package convenience init(
    sink: any ByteSink, tracks: [OutputTrackFacts], settings: FragmentedMP4Settings,
    fragmentDuration: MediaTime, name: String
  ) throws {
    var settings = settings
    let rate = tracks.isEmpty ? 1 : tracks[FragmentedMP4Writer.reference(of: tracks)].timescale
    settings.fragmentDuration = max(1, fragmentDuration.samples(at: rate))
    let movieTracks = try tracks.map { try MovieTrack($0, of: name) }
    try self.init(sink: sink, tracks: movieTracks, settings: settings)
  }

  /// Index of the track that decides where fragments begin: the first with pictures, else the first. Chapters
  /// never do, because they may be hours apart.
  private static func reference(of tracks: [OutputTrackFacts]) -> Int {
    tracks.firstIndex { $0.kind == .pictures } ?? tracks.firstIndex { $0.kind != .chapters } ?? 0
  }

  /// Takes the next sample of a track. Audio that begins after its track's valid samples is left
  /// out.
  /// - Throws: ``MediaError`` of kind `internal` for a track that doesn't exist, times that don't
  ///   ascend or a finished writer, or whatever the sink throws.
  package func add(_ sample: MediaSample, track: Int) throws {
    guard state == .open, queues.indices.contains(track) else {
      throw MediaError(.internal, "MP4 track \(track): can't take a sample")
    }
    try guarded {
      guard try queues[track].add(sample, name: "MP4 track \(track)") else { return }
      if track == referenceTrack { noteCut(at: sample) }
      while let cut = cuts.first, isComplete(before: cut) {
        cuts.removeFirst()
        try writeFragment(before: cut)
      }
    }
  }

  /// Writes what is left and the index.
  /// - Throws: ``MediaError`` of kind `internal` when an audio track has fewer samples than it
  ///   promised, or whatever the sink throws.
  package func finish() throws {
    guard state == .open else { throw MediaError(.internal, "MP4: finished twice") }
    try guarded {
      for track in queues.indices { try queues[track].close(name: "MP4 track \(track)") }
      for cut in cuts { try writeFragment(before: cut) }
      try writeFragment(before: nil)
      if settings.writesIndex { try write(FragmentIndexBox(tracks: index).encoded) }
      try writeSegmentIndex()
      state = .finished
    }
  }

  /// After a failure the output is incomplete, so that nothing more may be added to it.
  private func guarded(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      state = .failed
      throw error
    }
  }

  /// A fragment begins with the first sample of the reference track at which decoding may begin, at
  /// or after each multiple of the fragment duration: pictures by when they are presented, sound by
  /// its packets.
  private func noteCut(at sample: MediaSample) {
    let track = queues[referenceTrack].track
    let isVideo = track.kind == .pictures
    let presented =
      sample.decodeTime + (isVideo ? sample.compositionOffset : 0) - track.priming
    let time = isVideo ? presented : sample.decodeTime
    guard time >= nextMultiple, sample.isSync else { return }
    nextMultiple = (time / settings.fragmentDuration + 1) * settings.fragmentDuration
    cuts.append(
      FragmentCut(
        time: MediaTime(ticks: track.startOffset + presented, rate: Int64(track.timescale)),
        decodeTime: sample.decodeTime))
  }

  private func isComplete(before cut: FragmentCut) -> Bool {
    queues.indices.allSatisfy { index in
      index == referenceTrack
        ? queues[index].isComplete(beforeDecoding: cut.decodeTime)
        : queues[index].isComplete(before: cut.time)
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    try sink.write(bytes)
    size += Int64(bytes.count)
  }

  private func writeFragment(before cut: FragmentCut?) throws {
    let taken = queues.indices.map { index in
      (
        track: index,
        samples: index == referenceTrack
          ? queues[index].take(beforeDecoding: cut?.decodeTime)
          : queues[index].take(before: cut?.time)
      )
    }
    .filter { !$0.samples.isEmpty }
    guard !taken.isEmpty else { return }
    let box = MovieFragmentBox(
      sequenceNumber: fragments.count + 1,
      tracks: taken.map { run($0.samples, of: $0.track) })
    let header = try encoded(box)
    let offset = size
    try sink.fragmentBegins(fragments.count)
    try write(segmentType)
    note(box, at: size)
    try write(header)
    for sample in taken.flatMap(\.samples) { try write(sample.data) }
    let reference = taken.first { $0.track == referenceTrack }?.samples ?? []
    let end = self.end(before: cut, last: taken)
    let record = FragmentRecord(
      sequenceNumber: box.sequenceNumber, offset: offset, size: size - offset, start: begin,
      duration: end - begin, startsWithSync: reference.first?.isSync ?? false)
    fragments.append(record)
    if segments.count < mostSegments {
      segments.append(
        SegmentIndexBox.Entry(
          size: record.size, duration: record.duration,
          accessType: record.startsWithSync ? 1 : 0))
    }
    begin = end
    for fragment in box.tracks {
      baseTimes[fragment.trackID - 1] += fragment.samples.reduce(0) { $0 + $1.duration }
    }
  }

  private func encoded(_ box: MovieFragmentBox) throws -> [UInt8] {
    do {
      return try box.encoded()
    } catch {
      throw MediaError(.internal, "\(error); choose shorter fragments")
    }
  }

  /// The time at which the reference track's next fragment begins, or the track ends.
  private func end(
    before cut: FragmentCut?, last taken: [(track: Int, samples: [MediaSample])]
  ) -> Int64 {
    let track = queues[referenceTrack].track
    if let cut { return max(begin, cut.time.ticks) }
    return max(begin, track.startOffset + track.length)
  }

  private func run(_ samples: [MediaSample], of track: Int) -> TrackFragmentBox {
    TrackFragmentBox(
      trackID: track + 1, baseDecodeTime: baseTimes[track],
      samples: samples.map {
        FragmentSample(
          size: $0.data.count, duration: $0.duration, compositionOffset: $0.compositionOffset,
          isSync: $0.isSync)
      }, isInRollGroup: queues[track].track.rollDistance != nil)
  }

  /// Records the position of each track's first sync sample in the fragment.
  private func note(_ box: MovieFragmentBox, at offset: Int64) {
    for (number, fragment) in box.tracks.enumerated() {
      guard let sync = fragment.samples.firstIndex(where: \.isSync) else { continue }
      let before = fragment.samples[..<sync].reduce(0) { $0 + $1.duration }
      index[fragment.trackID - 1].append(
        FragmentIndexBox.Entry(
          time: fragment.baseDecodeTime + before + fragment.samples[sync].compositionOffset,
          fragmentOffset: offset, trackFragment: number + 1, sample: sync + 1))
    }
  }

  private static func header(_ tracks: [MovieTrack], _ settings: FragmentedMP4Settings) -> [UInt8] {
    // A late track's edit reaches over its start offset too: its media begin at 0, its samples at
    // the offset. An edit of the valid duration alone would cut as much off the end.
    func ticks(_ time: Int64, _ track: OutputTrackFacts) -> Int64 {
      MediaTime.rescale(time, by: Int64(settings.movieTimescale), over: Int64(track.timescale))
    }
    func mediaEnd(of track: OutputTrackFacts) -> Int64 {
      track.startOffset + track.length + track.priming
    }
    func end(of track: OutputTrackFacts) -> Int64 {
      ticks(mediaEnd(of: track) - (track.statesPriming ? track.priming : 0), track)
    }
    let facts = tracks.map(\.facts)
    let boxes = tracks.map { movieTrack in
      let track = movieTrack.facts
      var box = movieTrack.box(
        among: facts,
        edits: EditListBox(entries: [
          .init(duration: end(of: track), mediaTime: track.statesPriming ? track.priming : 0)
        ]))
      // Tools that read tags know the length from here.
      box.mediaDuration = mediaEnd(of: track)
      return box
    }
    // GStreamer measures `mehd` on the media's clock. Without the priming and the reorder delay in
    // it, GStreamer would start another segment before the end, and the rest would come too early
    // by as much.
    let movie = MovieBox(
      timescale: settings.movieTimescale, duration: facts.map(end).max() ?? 0,
      fragmentDuration: facts.map { ticks(mediaEnd(of: $0), $0) }.max(), tracks: boxes,
      tags: settings.tags)
    let type = FileTypeBox(
      .file, majorBrand: settings.majorBrand, compatibleBrands: settings.compatibleBrands)
    return type.encoded + movie.encoded
  }

  private static func check(_ tracks: [MovieTrack], _ settings: FragmentedMP4Settings) throws {
    guard (1...256).contains(tracks.count),
      (1...Int(UInt32.max)).contains(settings.movieTimescale),
      (1...1 << 60).contains(settings.fragmentDuration)
    else { throw MediaError(.internal, "MP4: no tracks, timescale or fragment duration") }
    for (number, track) in tracks.enumerated() { try track.check(number) }
  }
}

/// How ``FragmentedMP4Writer`` writes.
package struct FragmentedMP4Settings: Sendable {
  /// Ticks a second of the movie's durations, 1…4294967295: the audio's sample rate, so that edits
  /// are exact to a sample.
  package var movieTimescale: Int
  /// Length aimed at for a fragment in ticks of the reference track, 1…2^60: the first video track,
  /// else the first track. A fragment begins with the first packet, or key frame, at or after each
  /// multiple.
  package var fragmentDuration: Int64
  /// Descriptive tags.
  package var tags = MovieTags()
  /// Major brand of the file.
  package var majorBrand = "iso6"
  /// Everything conformed to.
  package var compatibleBrands = ["iso6", "isom", "mp41"]
  /// Whether a `styp` box precedes each fragment, as files with one segment each need it.
  package var writesSegmentTypes = false
  /// Whether `mfra` is written at the end, for seeking in a single file.
  package var writesIndex = true

  /// Whether the fragments are to become files: `styp` before each, no `mfra` after the last.
  package var isForSegmentFiles: Bool {
    get { writesSegmentTypes && !writesIndex }
    set { (writesSegmentTypes, writesIndex) = (newValue, !newValue) }
  }

  /// Settings with everything else at its default.
  package init(movieTimescale: Int, fragmentDuration: Int64) {
    self.movieTimescale = movieTimescale
    self.fragmentDuration = fragmentDuration
  }
}

/// The beginning of a fragment. The reference track is cut at a sample at which decoding may begin, by
/// its decode time; all other tracks are cut by their presentation time.
struct FragmentCut {
  /// Presentation time of the reference track's sample.
  let time: MediaTime
  /// Its decode time, in ticks of its track.
  let decodeTime: Int64
}

/// The place of a fragment in the output and its presented time: a media segment of HLS.
package struct FragmentRecord: Sendable, Equatable {
  /// Number, from 1.
  package let sequenceNumber: Int
  /// Offset of its first byte, counted over everything written.
  package let offset: Int64
  /// Bytes in all.
  package let size: Int64
  /// Presentation time of its beginning in ticks of the reference track; start-up samples, which
  /// are never presented, take no time.
  package let start: Int64
  /// Ticks of the reference track that it presents. All fragments together present exactly its
  /// valid duration when it is an audio track.
  package let duration: Int64
  /// Whether its first sample of the reference track can be decoded without any before.
  package let startsWithSync: Bool
}
