// SPDX-License-Identifier: Apache-2.0
import AudioCore

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
    if let data = scanner.first(["udta"], in: box) {
      facts.roles = scanner.boxes(from: data.payload, to: data.end).filter { $0.type == "kind" }
        .prefix(16).compactMap { TrackFacts.role(scanner.payload($0, limit: 256)) }
    }
    let language = bytes(["mdia", "elng"], 64).dropFirst(4).prefix { $0 != 0 }
    if !language.isEmpty { facts.language = String(validating: language, as: UTF8.self) }
    facts.loudness = scanner.first(["udta", "ludt"], in: box).flatMap { LoudnessBox($0, scanner) }
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

/// The facts about a track in its `trak` box, as far as a reader's timeline needs them.
package struct TrackFacts: Sendable, Equatable {
  /// Track id (`tkhd`).
  package var id: Int
  /// Handler type (`hdlr`): `soun`, `vide`, `text` …
  package var handler: String
  /// Its name in `udta`, which libavformat reads in newer versions only; `nil` without one.
  package var title: String?
  /// Words of the role scheme of DASH for its purposes (`kind`, 8.10.4).
  package var roles: [String] = []
  /// The language by its extended tag (`elng`, 8.4.6), where it has one.
  package var language: String?
  /// How loud it is and its album; `nil` where the file doesn't say.
  package var loudness: LoudnessBox?
  /// Ticks a second of the media (`mdhd`).
  package var mediaTimescale: Int64
  /// Edits (`elst`), empty when there is no edit list.
  package var edits: [EditListBox.Entry]
  /// Length of the media: the sum of all samples' durations (`stts`); `nil` for a movie in fragments,
  /// and where a table isn't complete.
  package var mediaLength: MediaLength?
  package var mediaDuration: Int64? { mediaLength?.ticks }
  /// Ticks by which the composition offset of the first sample exceeds that of the second (`ctts`); 0 without one.
  package var firstDelay: Int64 = 0
  /// Type of the first sample entry (`stsd`), e.g. `ec-3`, `enca`.
  package var sampleEntry: String
  /// Channels of an audio sample entry of version 0 or 1; `nil` for others.
  package var channelCount: Int?
  /// For encrypted entries, the format underneath (`frma`).
  package var originalFormat: String?
  /// Payload of the `dec3` box of an E-AC-3 track.
  package var dec3: [UInt8]?
  /// Payload of the `dac3` box of an AC-3 track.
  package var dac3: [UInt8]?
  /// Payload of the `dac4` box of an AC-4 track.
  package var dac4: [UInt8]?
  /// Payload of the `mhaC` box of an MPEG-H 3D Audio track.
  package var mhaC: [UInt8]?
  /// The configuration of an IAMF track (`iacb`).
  package var iamf: IAMFFacts?

  /// The format of uncompressed sound (`pcmC`).
  package var pcm: PCMFacts?
  /// The channels' positions (`chnl`).
  package var channelLayout: ChannelLayoutBox?
  /// Apple's tag of the channel layout (`chan`).
  package var channelTag: ChannelTagBox?
  /// The sound field that the channels are, or why the box that states it can't be taken (`SA3D`).
  package var spatialAudio: Result<SpatialAudioBox, SpatialAudioBox.Fault>?

  package var isEncrypted: Bool { ["enca", "encv", "drms"].contains(sampleEntry) }

  /// Objects coded in an E-AC-3 track by joint object coding, as `dec3` declares it
  /// (ETSI TS 103 420, 8.3): complexity index, 0 when the extension is absent.
  package var objectComplexity: Int? {
    guard let dec3, dec3.count >= 2 else { return nil }
    let substreams = Int(dec3[1] & 7) + 1
    var offset = 2
    for _ in 0..<substreams {
      guard offset + 3 <= dec3.count else { return nil }
      let dependents = dec3[offset + 2] >> 1 & 15
      offset += dependents > 0 ? 4 : 3
    }
    guard offset + 2 <= dec3.count, dec3[offset] & 1 == 1 else { return 0 }
    return Int(dec3[offset + 1])
  }
}

/// The length of all samples of a track together, and whether that is what they hold: those of sound are frames of the codec,
/// nearly always of one length, and a sample that is said to last longer or shorter than the others moves the clock alone.
package struct MediaLength: Sendable, Equatable {
  /// The end of the last sample, in ticks of the track.
  package internal(set) var ticks: Int64 = 0
  /// Whether all samples last equally long, but the last one, which may hold padding.
  package private(set) var isEven = true
  private var first: Int64?
  private var hasOdd = false

  /// Adds `count` samples of `duration` ticks each.
  mutating func add(_ count: Int64, lasting duration: Int64) {
    guard count > 0 else { return }
    let usual = first ?? duration
    first = usual
    isEven = isEven && !hasOdd && (duration == usual || count == 1)
    hasOdd = duration != usual
    ticks = Saturating.sum(ticks, Saturating.product(count, duration))
  }
}

/// The format of uncompressed sound in MP4 (ISO/IEC 23003-5, 5.3: `ipcm` and `fpcm` with `pcmC`), and where it
/// stands in the file.
package struct PCMFacts: Sendable, Equatable {
  /// Whether samples are floating point.
  package let isFloat: Bool
  /// Bits of one channel's sample.
  package let bits: Int
  /// Order of a sample's bytes.
  package let isLittleEndian: Bool
  /// Offset of the sample entry's type.
  package let entry: Int64
  /// Offset of the type of `pcmC`.
  package let configuration: Int64

  /// Reads the facts of a sample entry; `nil` unless it is of this kind and has a configuration that the standard
  /// allows.
  init?(entry: BoxHeader, in inner: BoxHeader, _ scanner: BoxScanner) {
    guard ["ipcm", "fpcm"].contains(entry.type), let box = scanner.first(["pcmC"], in: inner)
    else { return nil }
    let fields = scanner.payload(box, limit: 6)
    guard fields.count == 6 else { return nil }
    isFloat = entry.type == "fpcm"
    bits = Int(fields[5])
    guard (isFloat ? [32, 64] : [16, 24, 32]).contains(bits) else { return nil }
    isLittleEndian = fields[4] & 1 == 1
    // Both headers have 32-bit sizes, because their boxes are small, so that the type lies right before the payload.
    self.entry = entry.payload - 4
    configuration = box.payload - 4
  }
}

/// The configuration of an IAMF track (Immersive Audio Model and Formats 1.1, 4: sample entry `iamf` with `iacb`),
/// and where it stands in the file.
package struct IAMFFacts: Sendable, Equatable {
  /// Payload of the `iacb` box.
  package let box: [UInt8]
  /// Offset of the sample entry's type.
  package let entry: Int64
  /// Offset of the type of `iacb`.
  package let configuration: Int64

  /// Reads the configuration of a sample entry; `nil` unless it has one.
  init?(entry: BoxHeader, in inner: BoxHeader, _ scanner: BoxScanner) {
    guard entry.type == "iamf", let found = scanner.first(["iacb"], in: inner) else { return nil }
    box = scanner.payload(found, limit: 1 << 16)
    // Both headers have 32-bit sizes, because their boxes are small, so that the type lies right before the payload.
    self.entry = entry.payload - 4
    configuration = found.payload - 4
  }
}

extension TrackFacts {
  /// The word in the content of a `kind` box (8.10.4); `nil` for another scheme than that of DASH.
  fileprivate static func role(_ content: [UInt8]) -> String? {
    let texts = content.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
    guard texts.count >= 2, texts[0].elementsEqual(DASHRole.scheme.utf8) else {
      return nil
    }
    return String(validating: texts[1], as: UTF8.self)
  }
}
