// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Platform

/// Writes a progressive MP4 file (ISO/IEC 14496-12, 8.6): `moov` with all tables in front of the media data, as taggers and players
/// of music know it.
///
/// Place for `moov` is kept in front, because the number of samples is bounded beforehand; what is left of it is a `free` box. Should
/// the tables be larger after all, `moov` follows the media data instead. Each track has one edit, which begins after its priming and ends
/// with its last valid sample; an empty one precedes it where the track begins late. Priming of late sound is presented as far as it lies
/// after zero: Chromium plays the sound early otherwise. The last packet of sound keeps its length: FFmpeg 9 plays the padding of one
/// that is cut.
///
/// Samples in one order give the same bytes each time. Less than a second of each track is held in memory, and four bytes for each
/// sample.
package final class ProgressiveMP4Writer: TrackWriter {
  private enum State { case open, finished, failed }

  /// Samples of a track that its next chunk will hold.
  private struct Chunk {
    var samples: [MediaSample] = []
    /// When the next sample belongs to another chunk.
    var end: MediaTime?
  }

  /// Length aimed at for a chunk: tracks alternate as often.
  private static let chunkLength = MediaTime(ticks: 1, rate: 2)

  private let sink: any ByteSink
  private let settings: ProgressiveMP4Settings
  private let tracks: [MovieTrack]
  private var queues: [TrackQueue]
  private var chunks: [Chunk]
  private var tables: [SampleTables]
  /// Ticks of each track's longest sample.
  private var longest: [Int64]
  private let type: [UInt8]
  /// Bytes kept for `moov`; 0 where their number isn't known.
  private let room: Int
  /// Offset of the `mdat` box's place, which is large enough for both forms of its header.
  private let dataOffset: Int64
  private var size: Int64
  private var state = State.open

  /// Keeps the place of the headers.
  /// - Throws: ``MediaError`` where a track's configuration can't be used, or whatever the sink throws.
  package init(
    sink: any ByteSink, tracks: [OutputTrackFacts], settings: ProgressiveMP4Settings, name: String
  ) throws {
    self.sink = sink
    self.settings = settings
    let tracks = tracks.map(\.withPresentedPriming)
    self.tracks = try tracks.map { try MovieTrack($0, of: name) }
    try ProgressiveMP4Writer.check(self.tracks, settings)
    queues = tracks.map { TrackQueue($0) }
    chunks = tracks.map { _ in Chunk() }
    tables = tracks.map { _ in SampleTables() }
    longest = tracks.map { _ in 0 }
    type = ProgressiveMP4Writer.fileType(of: tracks).encoded
    room = ProgressiveMP4Writer.room(for: self.tracks, settings)
    dataOffset = Int64(type.count + room)
    size = dataOffset + 16
    var front = BoxBuilder()
    front.append(type)
    if room > 0 { front.box("free") { $0.zeros(room - 8) } }
    front.zeros(16)
    try sink.write(front.bytes)
  }

  /// Takes the next sample of a track. Sound that begins after its track's valid samples is left out.
  /// - Throws: ``MediaError`` of kind `internal` for a track that doesn't exist, times that don't ascend or a finished writer, or
  ///   whatever the sink throws.
  package func add(_ sample: MediaSample, track: Int) throws {
    guard state == .open, queues.indices.contains(track) else {
      throw MediaError(.internal, "MP4 track \(track): can't take a sample")
    }
    try guarded {
      guard try queues[track].add(sample, name: "MP4 track \(track)"),
        tracks[track].facts.kind != .chapters
      else { return }
      for settled in queues[track].take(beforeDecoding: nil) { try collect(settled, track) }
    }
  }

  /// Writes what is left, and the headers.
  /// - Throws: ``MediaError`` of kind `internal` when a track of sound has fewer samples than it promised, or whatever the sink throws.
  package func finish() throws {
    guard state == .open else { throw MediaError(.internal, "MP4: finished twice") }
    try guarded {
      for track in queues.indices {
        try queues[track].close(name: "MP4 track \(track)", cutsEnd: false)
        for var sample in queues[track].take(beforeDecoding: nil) {
          if tracks[track].facts.coding.hasEqualPackets {
            sample.duration = max(sample.duration, longest[track])
          }
          try collect(sample, track)
        }
      }
      for track in chunks.indices { try writeChunk(track) }
      try writeHeaders()
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

  /// Adds a sample, whose length is known, to the chunk of its track.
  private func collect(_ sample: MediaSample, _ track: Int) throws {
    let facts = tracks[track].facts
    let time = MediaTime(
      ticks: facts.startOffset + sample.decodeTime, rate: Int64(facts.timescale))
    try writeTitles()
    if let end = chunks[track].end, time >= end { try writeChunk(track) }
    chunks[track].end = chunks[track].end ?? time + ProgressiveMP4Writer.chunkLength
    chunks[track].samples.append(sample)
    longest[track] = max(longest[track], sample.duration)
    // The next text may come much later.
    if facts.kind == .subtitles { try writeChunk(track) }
  }

  /// Writes the titles of chapters, which come before everything else, in one chunk in front.
  private func writeTitles() throws {
    for track in tracks.indices where tracks[track].facts.kind == .chapters {
      chunks[track].samples += queues[track].take(beforeDecoding: nil)
      try writeChunk(track)
    }
  }

  private func writeChunk(_ track: Int) throws {
    guard !chunks[track].samples.isEmpty else { return }
    tables[track].beginChunk(at: size)
    for sample in chunks[track].samples {
      tables[track].add(
        FragmentSample(
          size: sample.data.count, duration: sample.duration,
          compositionOffset: sample.compositionOffset, isSync: sample.isSync))
      try sink.write(sample.data)
      size += Int64(sample.data.count)
    }
    tables[track].endChunk()
    chunks[track] = Chunk()
  }

  /// Writes `moov` into its place, or behind the media data, and the size of these.
  private func writeHeaders() throws {
    let movie = self.movie.encoded
    let data = size - dataOffset
    var header = BoxBuilder()
    if data - 8 <= Int64(UInt32.max) {
      header.box("free") { _ in }
      header.append(BoxBuilder.header("mdat", payloadSize: data - 16))
    } else {
      header.append(BoxBuilder.header("mdat", payloadSize: data - 16))
    }
    try sink.replace(at: dataOffset, by: header.bytes)
    let rest = room - movie.count
    // A header of 8 bytes has to fit into what is left.
    guard rest == 0 || rest >= 8 else { return try sink.write(movie) }
    var front = BoxBuilder()
    front.append(movie)
    if rest > 0 { front.box("free") { $0.zeros(rest - 8) } }
    try sink.replace(at: Int64(type.count), by: front.bytes)
  }

  private var movie: MovieBox {
    ProgressiveMP4Writer.movie(tracks, tables, settings)
  }

  private static func movie(
    _ tracks: [MovieTrack], _ tables: [SampleTables], _ settings: ProgressiveMP4Settings
  ) -> MovieBox {
    func ticks(_ time: Int64, _ track: OutputTrackFacts) -> Int64 {
      MediaTime.rescale(time, by: Int64(settings.movieTimescale), over: Int64(track.timescale))
    }
    let facts = tracks.map(\.facts)
    let boxes = tracks.indices.map { index in
      let track = facts[index]
      var entries: [EditListBox.Entry] = []
      let late = ticks(track.startOffset, track)
      if late > 0 { entries.append(.init(duration: late, mediaTime: -1)) }
      entries.append(.init(duration: ticks(track.length, track), mediaTime: track.priming))
      var box = tracks[index].box(among: facts, edits: EditListBox(entries: entries))
      box.samples = tables[index]
      box.mediaDuration = tables[index].duration
      return box
    }
    // GStreamer cuts on the media's clock: without the priming in it, AAC would lose its last packet.
    let ends = facts.map { ticks($0.startOffset, $0) + ticks($0.length + $0.priming, $0) }
    var tags = settings.tags
    // One of the source's speaks of other samples.
    tags.items.removeAll { $0.name.lowercased() == gaplessName.lowercased() }
    tags.items += gaplessItem(facts, tables)
    var movie = MovieBox(
      timescale: settings.movieTimescale, duration: ends.max() ?? 0, tracks: boxes, tags: tags)
    movie.isFragmented = false
    return movie
  }

  private static let gaplessName = "iTunSMPB"

  /// Start-up samples, padding and length of AAC as iTunes writes them, for players of music that know nothing else. Beside pictures
  /// Chromium would skip the start-up samples that late sound presents.
  private static func gaplessItem(
    _ facts: [OutputTrackFacts], _ tables: [SampleTables]
  ) -> [MovieItem] {
    guard !facts.contains(where: { $0.kind == .pictures }),
      let index = facts.firstIndex(where: { $0.kind == .sound }),
      case .encoded(let sound) = facts[index].coding, sound.codec == .aac
    else { return [] }
    let track = facts[index]
    let padding = max(0, tables[index].duration - track.priming - track.length)
    func hexadecimal(_ value: Int64, _ digits: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let fields =
      [hexadecimal(0, 8), hexadecimal(track.priming, 8), hexadecimal(padding, 8)]
      + [hexadecimal(track.length, 16)] + [String](repeating: hexadecimal(0, 8), count: 8)
    return [
      MovieItem(
        freeform: gaplessName, values: [.text(fields.map { " " + $0 }.joined())])
    ]
  }

  /// Sound alone is music to players; taggers know it by its brand.
  private static func fileType(of tracks: [OutputTrackFacts]) -> FileTypeBox {
    let isSoundOnly = tracks.allSatisfy { $0.kind == .sound || $0.kind == .chapters }
    let brands = ["isom", "iso2", "mp41"] + Set(tracks.flatMap(\.coding.brands)).sorted()
    return isSoundOnly
      ? FileTypeBox(
        .file, majorBrand: "M4A ", minorVersion: 512, compatibleBrands: ["M4A "] + brands)
      : FileTypeBox(.file, majorBrand: "isom", minorVersion: 512, compatibleBrands: brands)
  }

  /// Bytes that `moov` takes at most, and 8 for the box of what is left; 0 where the number of samples isn't known.
  private static func room(for tracks: [MovieTrack], _ settings: ProgressiveMP4Settings) -> Int {
    var room = movie(tracks, tracks.map { _ in SampleTables() }, settings).encoded.count + 8
    for track in tracks {
      let facts = track.facts
      guard let samples = facts.mostSamples else { return 0 }
      let length = MediaTime(ticks: facts.priming + facts.length, rate: Int64(facts.timescale))
      // Each chunk of half a second begins as much later than the one before; each text has its own.
      let halves = length.samples(at: 2) + 8
      let chunks = facts.kind == .subtitles ? Int64(samples) : min(Int64(samples), halves)
      var isIrregular = true
      if case .encoded = facts.coding { isIrregular = false }
      room += SampleTables.bound(
        samples: samples, chunks: Int(chunks), isIrregular: isIrregular,
        arePictures: facts.kind == .pictures)
    }
    // A box of 4 GiB has another header, and no player reads such tables.
    return room < Int(UInt32.max) ? room : 0
  }

  private static func check(_ tracks: [MovieTrack], _ settings: ProgressiveMP4Settings) throws {
    guard (1...256).contains(tracks.count), (1...Int(UInt32.max)).contains(settings.movieTimescale)
    else { throw MediaError(.internal, "MP4: no tracks or timescale") }
    for (number, track) in tracks.enumerated() { try track.check(number) }
  }
}

extension TrackCoding {
  /// Whether all packets decode to as many samples, the last one too, whatever their encoder states.
  fileprivate var hasEqualPackets: Bool {
    if case .encoded(let sound) = self { return !sound.codec.isLossless }
    return false
  }
}

/// How ``ProgressiveMP4Writer`` writes.
package struct ProgressiveMP4Settings: Sendable {
  /// Ticks a second of the movie's durations, 1…4294967295: the sound's sample rate, so that edits are exact to a sample.
  package var movieTimescale: Int
  /// Descriptive tags.
  package var tags = MovieTags()

  /// Settings without tags.
  package init(movieTimescale: Int) { self.movieTimescale = movieTimescale }
}
