/// The facts about tracks in a `moov` box, as far as a reader's timeline needs them.
package struct MovieFacts: Sendable, Equatable {
  /// Ticks a second of edit durations (`mvhd`).
  package var timescale: Int64
  /// Tracks in file order.
  package var tracks: [TrackFacts]
  /// Whether a top-level box reaches beyond the end of the file.
  package var isTruncated: Bool

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
    tracks =
      children
      .filter { $0.type == "trak" }
      .prefix(256)
      .map { MovieFacts.track($0, scanner) }
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
    facts.dec3 = configuration("dec3")
    facts.dac3 = configuration("dac3")
    facts.dac4 = configuration("dac4")
    facts.channelLayout = configuration("chnl").flatMap {
      ChannelLayoutBox(payload: $0, channels: Int(fields.bigEndian16(at: 16)))
    }
    facts.channelTag = configuration("chan").flatMap { ChannelTagBox(payload: $0) }
    if let format = scanner.first(["sinf", "frma"], in: inner) {
      facts.originalFormat = String(decoding: scanner.payload(format, limit: 4), as: UTF8.self)
    }
  }
}
