// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Lists the tracks of a movie, and its fragments where it has any (ISO/IEC 14496-12, 8.8), one fragment in
/// memory at a time. Damaged boxes are read as far as they go; nothing traps.
package struct FragmentedMovieReader {
  /// Ticks a second of movie durations (`mvhd`), from 1.
  package let timescale: Int64
  /// Length of the presentation (`mvhd`), in movie ticks.
  package let duration: Int64
  /// Length with all fragments (`mehd`), in movie ticks; `nil` when not stated.
  package let fragmentDuration: Int64?
  /// Tracks in file order, at most 256.
  package let tracks: [FragmentedTrack]
  /// The `moov` box.
  package let movie: BoxHeader
  let source: ByteSource
  let scanner: BoxScanner

  /// Reads the `moov` box; `nil` when there is none.
  package init?(_ source: ByteSource) {
    let scanner = BoxScanner(source)
    self.source = source
    self.scanner = scanner
    var found: BoxHeader?
    FragmentedMovieReader.forEachBox(scanner, source.size) { box, _ in
      if box.type == "moov" { found = box }
      return found == nil
    }
    guard let movie = found else { return nil }
    self.movie = movie
    let header = scanner.first(["mvhd"], in: movie).map { scanner.payload($0, limit: 128) } ?? []
    (timescale, duration) = FragmentedMovieReader.clock(header)
    let extends = scanner.first(["mvex", "mehd"], in: movie)
    fragmentDuration = extends.map { scanner.payload($0, limit: 16) }.map {
      $0.first == 1 ? Int64(clamping: $0.bigEndian64(at: 4)) : Int64($0.bigEndian32(at: 4))
    }
    let defaults = FragmentedMovieReader.defaults(movie, scanner)
    tracks = scanner.boxes(from: movie.payload, to: movie.end).filter { $0.type == "trak" }
      .prefix(256).map { FragmentedMovieReader.track($0, scanner, defaults) }
  }

  /// Calls `body` with each fragment in file order until it returns `false`.
  package func forEachFragment(_ body: (MovieFragment) -> Bool) {
    var open: (box: BoxHeader, offset: Int64)?
    var goesOn = true
    func give(_ data: BoxHeader?) {
      guard let (box, offset) = open else { return }
      open = nil
      var parser = FragmentParser(scanner, tracks: tracks)
      goesOn = body(parser.fragment(box, at: offset, data: data))
    }
    FragmentedMovieReader.forEachBox(scanner, source.size) { box, offset in
      if box.type == "mdat" { give(box) }
      if box.type == "moof", goesOn {
        give(nil)
        open = (box, offset)
      }
      return goesOn
    }
    if goesOn { give(nil) }
  }

  /// The length of track number `track`, which ends when its last sample does: the time of the last fragment that has
  /// samples of it (`tfdt`) and their durations (`trun`). `nil` where no fragment has any, or the last one doesn't state
  /// its time.
  package func length(ofTrack track: Int) -> MediaLength? {
    var length = MediaLength()
    var end: Int64?
    forEachFragment { fragment in
      for samples in fragment.tracks where samples.trackID == track && samples.sampleCount > 0 {
        end = samples.baseDecodeTime.map { Saturating.sum($0, samples.duration) }
        samples.samples.forEach { length.add($0.count, lasting: $0.sample.duration) }
      }
      return true
    }
    guard let end else { return nil }
    length.ticks = end
    return length
  }

  /// Calls `body` with each top-level box and its offset until it returns `false`.
  static func forEachBox(
    _ scanner: BoxScanner, _ end: Int64, _ body: (BoxHeader, Int64) -> Bool
  ) {
    var offset: Int64 = 0
    while let box = scanner.box(at: offset, before: end), body(box, offset) { offset = box.end }
  }

  /// Timescale and duration of `mvhd` or `mdhd`, whose fields begin alike.
  private static func clock(_ header: [UInt8]) -> (timescale: Int64, duration: Int64) {
    let isLong = header.first == 1
    let scale = Int64(header.bigEndian32(at: isLong ? 20 : 12))
    return (
      max(1, scale),
      isLong ? Int64(clamping: header.bigEndian64(at: 24)) : Int64(header.bigEndian32(at: 16))
    )
  }

  private static func defaults(
    _ movie: BoxHeader, _ scanner: BoxScanner
  ) -> [Int: FragmentedTrack.Defaults] {
    guard let extends = scanner.first(["mvex"], in: movie) else { return [:] }
    let boxes = scanner.boxes(from: extends.payload, to: extends.end).filter { $0.type == "trex" }
    return Dictionary(
      boxes.prefix(256).map { box in
        let bytes = scanner.payload(box, limit: 24)
        return (
          Int(bytes.bigEndian32(at: 4)),
          FragmentedTrack.Defaults(
            duration: bytes.bigEndian32(at: 12), size: bytes.bigEndian32(at: 16),
            flags: bytes.bigEndian32(at: 20))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func track(
    _ box: BoxHeader, _ scanner: BoxScanner, _ defaults: [Int: FragmentedTrack.Defaults]
  ) -> FragmentedTrack {
    let bytes: ([String], Int) -> [UInt8] = { path, limit in
      scanner.first(path, in: box).map { scanner.payload($0, limit: limit) } ?? []
    }
    let header = bytes(["tkhd"], 128)
    let isLong = header.first == 1
    let id = Int(header.bigEndian32(at: isLong ? 20 : 12))
    let handler = bytes(["mdia", "hdlr"], 16)
    let table = ["mdia", "minf", "stbl"]
    // Box headers don't keep their own offset, so the entry is cut out of the table's bytes.
    let entry = Array(bytes(table + ["stsd"], 1 << 20).dropFirst(8))
    let size = min(entry.count, Int(entry.bigEndian32(at: 0)))
    let group = bytes(table + ["sgpd"], 32)
    let isRoll = group.count >= 18 && group[4..<8].elementsEqual("roll".utf8)
    let media = clock(bytes(["mdia", "mdhd"], 64))
    return FragmentedTrack(
      id: id, handler: handler.count >= 12 ? String(decoding: handler[8..<12], as: UTF8.self) : "",
      timescale: media.timescale, mediaDuration: media.duration,
      duration: isLong
        ? Int64(clamping: header.bigEndian64(at: 28)) : Int64(header.bigEndian32(at: 20)),
      size: FragmentedTrack.Size(
        width: Int(header.bigEndian16(at: isLong ? 88 : 76)),
        height: Int(header.bigEndian16(at: isLong ? 92 : 80))),
      edits: EditListBox(payload: bytes(["edts", "elst"], 1 << 20)).entries,
      sampleEntry: size >= 8 ? String(decoding: entry[4..<8], as: UTF8.self) : "",
      sampleEntryBox: Array(entry.prefix(size)),
      rollDistance: isRoll ? Int(Int16(bitPattern: group.bigEndian16(at: 16))) : nil,
      defaults: defaults[id] ?? FragmentedTrack.Defaults())
  }
}

/// A track of a fragmented movie as read.
package struct FragmentedTrack: Sendable, Equatable {
  /// The properties of samples whose fragment states no others (`trex`, ISO/IEC 14496-12, 8.8.3).
  package struct Defaults: Sendable, Equatable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  /// Width and height.
  package struct Size: Sendable, Equatable {
    /// From left to right.
    package let width: Int
    /// From top to bottom.
    package let height: Int
  }

  /// Number of the track (`tkhd`).
  package let id: Int
  /// Handler type (`hdlr`): `soun`, `vide`, `text` …
  package let handler: String
  /// Ticks a second of its samples (`mdhd`), from 1.
  package let timescale: Int64
  /// Length of its media in those ticks (`mdhd`); 0 where it isn't stated.
  package let mediaDuration: Int64
  /// Length in movie ticks (`tkhd`).
  package let duration: Int64
  /// Size in whole pixels it is shown at (`tkhd`).
  package let size: Size
  /// Its edits (`elst`).
  package let edits: [EditListBox.Entry]
  /// Type of its first sample entry, e.g. `mp4a`; empty when there is none.
  package let sampleEntry: String
  /// The whole first sample entry, at most 1 MiB.
  package let sampleEntryBox: [UInt8]
  /// Roll distance of its sample group (`sgpd`), negative; `nil` without one.
  package let rollDistance: Int?
  /// Defaults of its samples.
  package let defaults: Defaults

  /// Payload of the first box of `type` inside an audio sample entry, version 0.
  package func configuration(_ type: String) -> [UInt8]? {
    let bytes = sampleEntryBox
    let source = ByteSource(bytes)
    let scanner = BoxScanner(source)
    // The entry's header has 8 bytes and its fields have 28.
    return scanner.boxes(from: 36).first { $0.type == type }.map { scanner.payload($0) }
  }
}

/// A fragment as read: `moof` and the `mdat` after it (ISO/IEC 14496-12, 8.8).
package struct MovieFragment: Sendable, Equatable {
  /// Number (`mfhd`).
  package let sequenceNumber: Int
  /// The `moof` box.
  package let box: BoxHeader
  /// Offset of the `moof` box's first byte.
  package let offset: Int64
  /// The next `mdat` box before another `moof`; `nil` when there is none.
  package let data: BoxHeader?
  /// The tracks' samples in file order.
  package let tracks: [TrackFragment]
  /// Paths of boxes inside that are too short for their stated content, e.g. `moof/traf/trun`.
  package let malformed: [String]
}

/// One track's samples in a fragment, as read (`traf`, ISO/IEC 14496-12, 8.8.6).
package struct TrackFragment: Sendable, Equatable {
  /// The extent in the file of one `trun` box's samples.
  package struct Extent: Sendable, Equatable {
    /// Offset of the first byte in the file; negative when the box states such an offset.
    package let offset: Int64
    /// Bytes.
    package let size: Int64
  }

  /// Number of the track (`tfhd`).
  package internal(set) var trackID: Int
  /// When the first sample is decoded, in track ticks (`tfdt`); `nil` when not stated.
  package internal(set) var baseDecodeTime: Int64?
  /// The samples in order, alike neighbours together.
  package internal(set) var samples: [SampleRun] = []
  /// Extents of their bytes, one for each `trun`.
  package internal(set) var extents: [Extent] = []
  /// Number of samples that a roll group covers (`sbgp`); `nil` without one.
  package internal(set) var rollSamples: Int64?

  /// Number of samples.
  package var sampleCount: Int64 { samples.reduce(0) { Saturating.sum($0, $1.count) } }
  /// Ticks that all samples last.
  package var duration: Int64 { samples.reduce(0) { Saturating.sum($0, $1.duration) } }
  /// Bytes of all samples.
  package var dataSize: Int64 { extents.reduce(0) { Saturating.sum($0, $1.size) } }
  /// Whether the first sample can be decoded without any before.
  package var startsWithSync: Bool { samples.first?.sample.isSync ?? false }
}

/// One sample of a fragment as `trun` lists it (ISO/IEC 14496-12, 8.8.8).
package struct FragmentSample: Sendable, Equatable {
  /// Bytes, 0…4294967295.
  package var size: Int
  /// Ticks until the next sample is decoded, 0…4294967295.
  package var duration: Int64
  /// Ticks from decoding to presentation, 0…4294967295.
  package var compositionOffset: Int64
  /// Whether decoding may begin here.
  package var isSync: Bool

  /// A sample of the given facts.
  package init(size: Int, duration: Int64, compositionOffset: Int64 = 0, isSync: Bool = true) {
    self.size = size
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
  }
}

/// Samples of a fragment that follow each other and are alike.
package struct SampleRun: Sendable, Equatable {
  /// How many, 1…4294967295.
  package internal(set) var count: Int64
  /// Facts about each of them; the composition offset may be negative.
  package let sample: FragmentSample

  /// Ticks they last together.
  package var duration: Int64 { Saturating.product(count, sample.duration) }
  /// Bytes they take together.
  package var size: Int64 { Saturating.product(count, Int64(sample.size)) }
}
