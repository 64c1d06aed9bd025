/// The facts about tracks in a `moov` box, as far as a reader's timeline needs them.
package struct MovieFacts: Sendable, Equatable {
  /// Ticks a second of edit durations (`mvhd`).
  package var timescale: Int64
  /// Tracks in file order.
  package var tracks: [TrackFacts]
  /// Whether a top-level box reaches beyond the end of the file.
  package var isTruncated: Bool

  /// Whether samples may follow in fragments (`mvex`).
  package var isFragmented: Bool
  /// Whether a box right inside the movie box has size 0, which only a file's last box may have.
  package var hasOpenBox: Bool

  /// Reads the first `moov` box of a file; `nil` when there is none.
  package init?(_ source: ByteSource) {
    let scanner = BoxScanner(source)
    let top = scanner.boxes()
    guard let movie = top.first(where: { $0.type == "moov" }) else { return nil }
    isTruncated = top.contains { $0.isTruncated }
    timescale = 1
    if let header = scanner.first(["mvhd"], in: movie) {
      let bytes = scanner.payload(header, limit: 64)
      timescale = max(1, Int64(bytes.bigEndian32(at: bytes.first == 1 ? 20 : 12)))
    }
    let children = scanner.boxes(from: movie.payload, to: movie.end)
    hasOpenBox = children.contains { $0.isOpen }
    // The tables of a movie in fragments hold only what comes before the first of them.
    let isFragmented = children.contains { $0.type == "mvex" }
    self.isFragmented = isFragmented
    tracks =
      children
      .filter { $0.type == "trak" }
      .prefix(256)
      .map {
        var facts = MovieFacts.track($0, scanner)
        facts.mediaLength = isFragmented ? nil : MovieFacts.mediaLength($0, scanner)
        facts.firstDelay = MovieFacts.firstDelay($0, scanner)
        return facts
      }
  }

  /// The sum of the durations in a track's `stts` (ISO/IEC 14496-12, 8.6.1.2); `nil` unless all of its
  /// entries, at most 2^20, are there.
  private static func mediaLength(_ track: BoxHeader, _ scanner: BoxScanner) -> MediaLength? {
    guard let box = scanner.first(["mdia", "minf", "stbl", "stts"], in: track) else { return nil }
    let table = scanner.payload(box, limit: 8 + (8 << 20))
    let count = Int(table.bigEndian32(at: 4))
    guard count > 0, count <= 1 << 20, table.count >= 8 + 8 * count else { return nil }
    return (0..<count).reduce(into: MediaLength()) { length, index in
      length.add(
        Int64(table.bigEndian32(at: 8 + 8 * index)),
        lasting: Int64(table.bigEndian32(at: 12 + 8 * index)))
    }
  }

  /// By how much the first composition offset in a track's `ctts` (ISO/IEC 14496-12, 8.6.1.3) exceeds the second, where it is
  /// that of one sample; 0 otherwise.
  private static func firstDelay(_ track: BoxHeader, _ scanner: BoxScanner) -> Int64 {
    guard let box = scanner.first(["mdia", "minf", "stbl", "ctts"], in: track) else { return 0 }
    let table = scanner.payload(box, limit: 24)
    guard table.count == 24, table.bigEndian32(at: 4) > 1, table.bigEndian32(at: 8) == 1 else {
      return 0
    }
    // Version 1 has signed offsets, and some writers put these into version 0.
    let offsets = [12, 20].map { Int64(Int32(truncatingIfNeeded: table.bigEndian32(at: $0))) }
    return max(0, offsets[0] - offsets[1])
  }

  private static func track(_ box: BoxHeader, _ scanner: BoxScanner) -> TrackFacts {
    let bytes: ([String], Int) -> [UInt8] = { path, limit in
      scanner.first(path, in: box).map { scanner.payload($0, limit: limit) } ?? []
    }
    let header = bytes(["tkhd"], 64)
    let media = bytes(["mdia", "mdhd"], 64)
    let handler = bytes(["mdia", "hdlr"], 16)
    var facts = TrackFacts(
      id: Int(header.bigEndian32(at: header.first == 1 ? 20 : 12)),
      handler: handler.count >= 12 ? String(decoding: handler[8..<12], as: UTF8.self) : "",
      mediaTimescale: max(1, Int64(media.bigEndian32(at: media.first == 1 ? 20 : 12))),
      edits: EditListBox(payload: bytes(["edts", "elst"], 1 << 20)).entries,
      sampleEntry: "", originalFormat: nil, dec3: nil)
    let title = bytes(["udta", "name"], TrackBox.longestTitle).prefix { $0 != 0 }
    if !title.isEmpty { facts.title = String(validating: title, as: UTF8.self) }
    if let descriptions = scanner.first(["mdia", "minf", "stbl", "stsd"], in: box) {
      let entries = scanner.boxes(from: descriptions.payload + 8, to: descriptions.end)
      if let entry = entries.first { describe(entry, scanner, &facts) }
    }
    return facts
  }

  /// Reads the boxes inside an audio sample entry (version 0: 28 bytes of fields before them).
  private static func describe(
    _ entry: BoxHeader, _ scanner: BoxScanner, _ facts: inout TrackFacts
  ) {
    facts.sampleEntry = entry.type
    let fields = scanner.payload(entry, limit: 32)
    let version = fields.bigEndian16(at: 8)
    if facts.handler == "soun", version < 2, fields.count >= 20 {
      facts.channelCount = Int(fields.bigEndian16(at: 16))
    }
    // QuickTime's versions 1 and 2 have 16 and 36 more bytes of fields.
    let skipped: Int64 = version == 1 ? 44 : (version == 2 ? 64 : 28)
    guard entry.payload + skipped < entry.end else { return }
    let inner = BoxHeader(
      type: entry.type, payload: entry.payload + skipped, end: entry.end, isTruncated: false)
    func configuration(_ type: String) -> [UInt8]? {
      scanner.first([type], in: inner).map { scanner.payload($0, limit: 1 << 16) }
    }
    facts.pcm = PCMFacts(entry: entry, in: inner, scanner)
    facts.dec3 = configuration("dec3")
    facts.dac3 = configuration("dac3")
    facts.dac4 = configuration("dac4")
    facts.mhaC = configuration("mhaC")
    facts.iamf = IAMFFacts(entry: entry, in: inner, scanner)
    facts.channelLayout = configuration("chnl").flatMap {
      ChannelLayoutBox(payload: $0, channels: Int(fields.bigEndian16(at: 16)))
    }
    facts.channelTag = configuration("chan").flatMap { ChannelTagBox(payload: $0) }
    facts.spatialAudio = configuration("SA3D").map { payload in
      Result { () throws(SpatialAudioBox.Fault) in try SpatialAudioBox(payload: payload) }
    }
    if let format = scanner.first(["sinf", "frma"], in: inner) {
      facts.originalFormat = String(decoding: scanner.payload(format, limit: 4), as: UTF8.self)
    }
  }
}
