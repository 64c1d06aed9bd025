/// Lists the tracks and fragments of a fragmented movie (ISO/IEC 14496-12, 8.8), one fragment in
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

  /// The length of track number `track`. It ends when its last sample does: the time of the last fragment that has
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
    return FragmentedTrack(
      id: id, handler: handler.count >= 12 ? String(decoding: handler[8..<12], as: UTF8.self) : "",
      timescale: clock(bytes(["mdia", "mdhd"], 64)).timescale,
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
