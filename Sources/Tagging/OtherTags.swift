// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Platform

/// All tags of a file that say nothing of loudness, read from its bytes without TagLib.
///
/// TagLib keeps what it understands: it drops frames behind a broken one, unknown items of MP4, a second ID3v2 tag and comments
/// without a value, and turns `gnre` of MP4 into text. Differences after a change are found here, so that nothing is lost silently.
struct OtherTags {
  /// A tag and the digest of what it holds.
  private struct Tag: Hashable {
    let name: String
    let digest: String
    let isEmpty: Bool
  }

  /// Tags that a change doesn't keep, by their names in order.
  struct Losses: Equatable {
    /// No tag of these names is left.
    let gone: [String]
    /// There are tags of these names, or ones that took their place, with other content.
    let altered: [String]
  }

  /// Names that others take the place of: a genre as a number becomes one as text, a cover without a frame gets one.
  private static let successors = ["gnre": "©gen", "COVERART": "METADATA_BLOCK_PICTURE"]
  /// Size of the sound, which no reader needs and which ID3v2.4 has no more.
  private static let useless = "TSIZ"

  private var counts: [Tag: Int] = [:]
  private let format: TagFormat

  /// The tags of `file`.
  init(_ file: LocalFile, _ kind: TaggableFile) {
    format = kind.format
    switch kind.format {
    case .flac: addBlocks(file, from: kind.front + 4)
    case .oggVorbis: addComments(OggPages.packet(1, of: file)?.dropFirst(7))
    case .oggOpus: addComments(OggPages.packet(1, of: file)?.dropFirst(8))
    case .oggFLAC: addComments(OggPages.packet(1, of: file)?.dropFirst(4))
    case .mpeg:
      addFrames(file)
      addItems(file, end: file.size - kind.back)
    case .wav, .aiff: addChunks(file)
    case .mp4: addMovieItems(file)
    case .wavPack, .monkeysAudio, .musepack: addItems(file, end: file.size - kind.back)
    case .matroska:
      add((try? MatroskaTags(file, file.path))?.others ?? [])
    }
  }

  /// The tags of a file of Matroska.
  init(_ matroska: MatroskaTags) {
    format = .matroska
    add(matroska.others)
  }

  private mutating func add(_ tags: [(name: String, bytes: [UInt8])]) {
    for (name, bytes) in tags { add(name, bytes) }
  }

  /// Tags that `later` doesn't have as this has them.
  func losses(in later: OtherTags) -> Losses {
    let missing = counts.filter { later.counts[$0.key, default: 0] < $0.value }.keys
    let left = Set(later.counts.keys.map(\.name))
    func isGone(_ tag: Tag) -> Bool {
      guard !tag.isEmpty, tag.name != OtherTags.useless else { return false }
      return !left.contains(tag.name) && !left.contains(OtherTags.successors[tag.name] ?? tag.name)
    }
    let gone = Set(missing.filter(isGone).map(\.name))
    let altered = Set(missing.map(\.name)).subtracting(gone)
    return Losses(gone: OtherTags.shown(gone), altered: OtherTags.shown(altered))
  }

  /// `names` in order as a terminal can show them; of many, the first ones.
  private static func shown(_ names: Set<String>) -> [String] {
    let most = 12
    let plain = names.sorted().map { name in
      let scalars = name.unicodeScalars.prefix(60).map { $0.isPlain ? $0 : "?" }
      return scalars.isEmpty ? "without a name" : String(String.UnicodeScalarView(scalars))
    }
    return plain.count <= most
      ? plain : plain.prefix(most) + ["and \(plain.count - most) more"]
  }

  private mutating func add(_ name: String, _ bytes: some Sequence<UInt8>) {
    guard !LoudnessFields.isOne(name, in: format) else { return }
    let bytes = Array(bytes)
    // The sign between name and value stands alone where there is no value.
    let isEmpty = bytes.isEmpty || bytes == [0x3D]
    counts[Tag(name: name, digest: Digest.sha256(bytes), isEmpty: isEmpty), default: 0] += 1
  }

  /// Metadata blocks of FLAC (RFC 9639, 8), without padding.
  private mutating func addBlocks(_ file: LocalFile, from start: Int64) {
    var place = start
    while place + 4 <= file.size {
      let head = file.bytes(at: place, count: 4)
      guard head.count == 4 else { return }
      let size = Int(head[1...].bigEndian(UInt32.self))
      let type = Int(head[0] & 0x7F)
      let bytes = file.bytes(at: place + 4, count: size)
      if type == 4 { addComments(bytes[...]) } else if type != 1 { add("block \(type)", bytes) }
      place += 4 + Int64(size)
      guard head[0] & 0x80 == 0 else { return }
    }
  }

  /// Vorbis comments (Vorbis I, 5): a vendor, and names with values. Names are compared in upper case.
  private mutating func addComments(_ packet: ArraySlice<UInt8>?) {
    var reader = ByteReader(packet ?? [])
    func take(_ reader: inout ByteReader) -> ArraySlice<UInt8>? {
      reader.take(4).flatMap { reader.take(Int($0.littleEndian(UInt32.self))) }
    }
    guard let vendor = take(&reader), let count = reader.take(4) else { return }
    add("vendor", vendor)
    for _ in 0..<count.littleEndian(UInt32.self) {
      guard let comment = take(&reader) else { return }
      let name = comment.prefix { $0 != 0x3D }
      add(String(decoding: name, as: UTF8.self).uppercased(), comment.dropFirst(name.count))
    }
  }

  /// Frames of all ID3v2 tags in front; of several, TagLib keeps the first.
  private mutating func addFrames(_ file: LocalFile) {
    var place: Int64 = 0
    for _ in 0..<16 {
      let head = file.bytes(at: place, count: 10)
      guard head.count == 10, head.starts(with: "ID3".utf8) else { return }
      let size = 10 + ID3Frames.size(head[6...])
      add(ID3Frames(file.bytes(at: place, count: Int(size))))
      place += size + (head[3] >= 4 && head[5] & 0x10 != 0 ? 10 : 0)
    }
  }

  private mutating func add(_ tag: ID3Frames) {
    for frame in tag.frames {
      let name = frame.description ?? frame.id
      let text = frame.texts.map { Array($0.joined(separator: "\0").utf8) }
      add(name, text ?? frame.picture ?? frame.bytes)
    }
  }

  /// Items of an APE tag (APEv2), whose footer ends at `end`. Names are compared in upper case.
  private mutating func addItems(_ file: LocalFile, end: Int64) {
    let footer = file.bytes(at: end - 32, count: 32)
    guard footer.count == 32, footer.starts(with: "APETAGEX".utf8) else { return }
    let size = Int(footer.littleEndian(UInt32.self, at: 12))
    guard size >= 32, Int64(size) <= end else { return }
    var reader = ByteReader(file.bytes(at: end - Int64(size), count: size - 32)[...])
    while let head = reader.take(8) {
      let length = Int(head.prefix(4).littleEndian(UInt32.self))
      guard let key = reader.take(reader.rest.prefix { $0 != 0 }.count), reader.take(1) != nil,
        let value = reader.take(length)
      else { return }
      // Bits 1 and 2 tell text from other content.
      let kind = head.dropFirst(4).prefix(1).map { $0 & 6 }
      add(String(decoding: key, as: UTF8.self).uppercased(), kind + value)
    }
  }

  /// Chunks of WAV and AIFF but for the sound, and the frames of the tag.
  private mutating func addChunks(_ file: LocalFile) {
    let chunks = RIFFChunks(file, isBigEndian: format == .aiff)
    for chunk in chunks.all where !["data", "SSND"].contains(chunk.type) {
      let bytes = file.bytes(at: chunk.start, count: chunk.size)
      if chunk.type.uppercased() == "ID3 " { add(ID3Frames(bytes)) } else { add(chunk.type, bytes) }
    }
  }

  /// Items of a movie's list, and what else its user data hold.
  private mutating func addMovieItems(_ file: LocalFile) {
    let scanner = BoxScanner(file.source)
    guard let movie = scanner.boxes().first(where: { $0.type == "moov" }),
      let user = scanner.first(["udta"], in: movie)
    else { return }
    for box in scanner.boxes(from: user.payload, to: user.end) {
      guard box.type == "meta" else {
        if ["free", "skip"].contains(box.type) { continue }
        add(box.type, scanner.payload(box, limit: .max))
        continue
      }
      for start in [box.payload + 4, box.payload] {
        let children = scanner.boxes(from: start, to: box.end)
        guard let list = children.first(where: { $0.type == "ilst" }) else { continue }
        for item in scanner.boxes(from: list.payload, to: list.end) where item.type != "free" {
          let bytes = scanner.payload(item, limit: .max)
          let name = item.type == "----" ? OtherTags.freeName(item, scanner) : item.type
          // Types of Apple's begin with © in Latin-1, which is no UTF-8.
          add(name.replacing("\u{FFFD}", with: "©"), bytes)
        }
        break
      }
    }
  }

  /// The name of an item that has one of its own.
  private static func freeName(_ item: BoxHeader, _ scanner: BoxScanner) -> String {
    let name = scanner.first(["name"], in: item).map { scanner.payload($0, limit: 1 << 12) }
    return String(decoding: name?.dropFirst(4) ?? [], as: UTF8.self)
  }
}

/// Chunks of a RIFF file, or of an IFF file, whose numbers have the highest byte first.
struct RIFFChunks {
  /// A chunk without its header.
  struct Chunk {
    let type: String
    /// Offset of its first byte.
    let start: Int64
    /// Bytes without the one that makes it even.
    let size: Int
  }

  /// Chunks that are listed at most.
  private static let limit = 100_000

  /// The chunks in order.
  private(set) var all: [Chunk] = []
  /// Whether each chunk lies in the file.
  private(set) var isWhole = true

  /// Walks the chunks of `file`.
  init(_ file: LocalFile, isBigEndian: Bool) {
    var place: Int64 = 12
    while place + 8 <= file.size, all.count < RIFFChunks.limit {
      let head = file.bytes(at: place, count: 8)
      guard head.count == 8 else { return }
      let number = head[4..<8]
      let size = Int(isBigEndian ? number.bigEndian(UInt32.self) : number.littleEndian())
      guard place + 8 + Int64(size) <= file.size else {
        isWhole = false
        return
      }
      let type = String(decoding: head[..<4], as: UTF8.self)
      all.append(Chunk(type: type, start: place + 8, size: size))
      place += 8 + Int64(size) + Int64(size & 1)
    }
  }
}
