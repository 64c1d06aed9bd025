// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Reads the texts of an ID3v2 tag, versions 2 to 4, with all their values and in order.
///
/// Frames that are compressed or encrypted, and those that hold no text, are passed over.
struct ID3Frames {
  /// Bytes of a tag that are read at most; pictures may be among them.
  private static let longest: Int64 = 1 << 27
  /// Frames that are read at most.
  private static let limit = 65_536
  /// Owner of the frame that names a recording (MusicBrainz Picard, "Tag Mapping").
  private static let musicBrainz = "http://musicbrainz.org"

  private let version: UInt8
  private(set) var tags = MediaTags()
  /// Day and month of ID3v2.3, which has the year in a frame of its own.
  private var dayAndMonth: String?

  /// Reads the tag that begins at byte `offset` of `file`; `nil` where there is none.
  init?(_ file: LocalFile, at offset: Int64 = 0) {
    guard let size = ID3Tag.size(of: file.bytes(at: offset, count: 10)) else { return nil }
    self.init(file.bytes(at: offset, count: Int(min(size, ID3Frames.longest))))
  }

  /// Reads the tag that `bytes` begin with; `nil` where there is none of a known version.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), (2...4).contains(bytes[3]) else {
      return nil
    }
    version = bytes[3]
    let flags = bytes[5]
    // The second bit says in version 2 that the tag is compressed, in a way that was never defined.
    if version == 2, flags & 0x40 != 0 { return }
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    var rest = bytes.dropFirst(10).prefix(size)
    // Version 4 says so for each frame.
    if flags & 0x80 != 0, version < 4 { rest = ID3Frames.withoutStuffing(rest)[...] }
    if flags & 0x40 != 0 {
      // The size of the extended header counts itself in version 4.
      let length = number(rest.prefix(4)) + (version == 4 ? 0 : 4)
      rest = rest.dropFirst(max(4, length))
    }
    for _ in 0..<ID3Frames.limit {
      guard let frame = next(&rest) else { break }
      if let content = frame.content { read(frame.id, content) }
    }
    if let year = tags["date"], year.count == 4, let date = dayAndMonth, date.count == 4 {
      tags["date"] = "\(year)-\(date.suffix(2))-\(date.prefix(2))"
    }
  }

  /// The number of a size: in version 4 seven bits a byte, unless a writer didn't keep to it.
  private func number(_ bytes: ArraySlice<UInt8>) -> Int {
    let bits = version == 4 && bytes.allSatisfy { $0 < 0x80 } ? 7 : 8
    return bytes.reduce(0) { $0 << bits | Int($1) }
  }

  /// Takes the next frame off `rest`; without content where that can't be read, `nil` at the end and at padding.
  private func next(_ rest: inout ArraySlice<UInt8>) -> (id: String, content: ArraySlice<UInt8>?)? {
    let (name, head) = version == 2 ? (3, 6) : (4, 10)
    // Padding is zeros.
    guard rest.count >= head, rest.prefix(name).contains(where: { $0 != 0 }) else { return nil }
    // iTunes wrote names of version 2 into tags of version 3, with a zero or a space after them.
    let id = rest.prefix(name).filter { $0 != 0 && $0 != 0x20 }
    guard let size = size(of: rest, name: name, head: head) else { return nil }
    let flags = version == 2 ? 0 : rest[rest.startIndex + 9]
    defer { rest = rest.dropFirst(head + size) }
    let isName = id.allSatisfy(ID3Frames.isNamed)
    return (
      String(decoding: id, as: UTF8.self),
      isName ? content(rest.dropFirst(head).prefix(size), flags: flags) : nil
    )
  }

  /// Whether names of frames have this byte: a capital or a digit.
  private static func isNamed(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
  }

  /// The size of the frame that `rest` begins with; `nil` where it reaches beyond the tag. Old versions of iTunes wrote plain sizes
  /// into tags of version 4: the reading counts after which another frame, padding or the end stands.
  private func size(of rest: ArraySlice<UInt8>, name: Int, head: Int) -> Int? {
    let field = rest.dropFirst(name).prefix(name)
    let plain = field.bigEndian(Int.self)
    func isFollowed(_ size: Int) -> Bool {
      guard size <= rest.count - head else { return false }
      let next = rest.dropFirst(head + size).prefix(name)
      return next.allSatisfy(ID3Frames.isNamed) || next.allSatisfy { $0 == 0 }
    }
    let size = number(field)
    if size != plain, !isFollowed(size), isFollowed(plain) { return plain }
    return size <= rest.count - head ? size : nil
  }

  /// The content of a frame without what its flags add; `nil` for one that is compressed or encrypted.
  private func content(_ bytes: ArraySlice<UInt8>, flags: UInt8) -> ArraySlice<UInt8>? {
    if version == 3 {
      return flags & 0xC0 != 0 ? nil : bytes.dropFirst(flags & 0x20 != 0 ? 1 : 0)
    }
    guard version == 4 else { return bytes }
    guard flags & 0x0C == 0 else { return nil }
    let content = bytes.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0))
    return flags & 0x02 != 0 ? ID3Frames.withoutStuffing(content)[...] : content
  }

  /// Leaves out the zeros that keep FF from looking like a frame of sound.
  private static func withoutStuffing(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isAfterMark = false
    for byte in bytes {
      if !isAfterMark || byte != 0 { result.append(byte) }
      isAfterMark = byte == 0xFF
    }
    return result
  }

  private mutating func read(_ name: String, _ content: ArraySlice<UInt8>) {
    let id = ID3Frames.newer[name] ?? name
    switch id {
    case "UFID": identity(content)
    case "TXXX", "WXXX":
      var texts = ID3Frames.texts(content, all: id == "TXXX")
      let free = texts.isEmpty ? "" : texts.removeFirst()
      for text in texts { tags.append(free.isEmpty ? (id == "WXXX" ? "URL" : id) : free, text) }
    case "COMM", "USLT": remark(id, content)
    case "TIPL", "TMCL": people(id, ID3Frames.texts(content))
    case "TDAT": dayAndMonth = ID3Frames.texts(content).first
    case "TCON":
      for text in ID3Frames.texts(content) {
        for genre in ID3Genres.names(text) { tags.append("genre", genre) }
      }
    case _ where id.hasPrefix("T") || TagName.frame(id) != nil:
      for text in ID3Frames.texts(content) { tags.append(TagName.frame(id)?.name ?? id, text) }
    case _ where id.hasPrefix("W"):
      tags.append(ID3Frames.links[id] ?? id, ID3Frames.latin(content.prefix { $0 != 0 }))
    default: break
    }
  }

  private mutating func identity(_ content: ArraySlice<UInt8>) {
    let owner = content.prefix { $0 != 0 }
    guard owner.elementsEqual(ID3Frames.musicBrainz.utf8) else { return }
    tags.append("musicbrainz_trackid", ID3Frames.latin(content.dropFirst(owner.count + 1)))
  }

  /// A comment or lyrics: encoding, language, description, text.
  private mutating func remark(_ id: String, _ content: ArraySlice<UInt8>) {
    guard content.count > 4 else { return }
    let texts = ID3Frames.texts(content.prefix(1) + content.dropFirst(4))
    guard let description = texts.first, texts.count > 1 else { return }
    // Programs keep their own figures in comments, e.g. iTunNORM.
    let isOwn = description.lowercased().hasPrefix("itun")
    let name = isOwn ? description : id == "COMM" ? "comment" : "lyrics"
    tags.append(name, texts.dropFirst().joined(separator: "\n"))
  }

  /// Pairs of a part and a name.
  private mutating func people(_ id: String, _ texts: [String]) {
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      let (part, name) = (texts[index], texts[index + 1])
      if id == "TMCL" {
        tags.append("PERFORMER", part.isEmpty ? name : "\(name) (\(part))")
      } else {
        tags.append(part.isEmpty ? "PERFORMER" : part.uppercased(), name)
      }
    }
  }

  /// Texts that a byte for their encoding precedes, parted by zeros; a last one that is empty is the end of the one before.
  /// The text of a link after its description is always in Latin 1.
  private static func texts(_ content: ArraySlice<UInt8>, all: Bool = true) -> [String] {
    guard let encoding = content.first else { return [] }
    let width = encoding == 1 || encoding == 2 ? 2 : 1
    var texts: [String] = []
    var rest = content.dropFirst()
    // Each text has a mark of its order; one without has that of the text before, and Windows' where there is none.
    var isLittle = encoding == 1
    while !rest.isEmpty {
      if !all, !texts.isEmpty { return texts + [latin(rest.prefix { $0 != 0 })] }
      var end = rest.startIndex
      while end + width <= rest.endIndex, rest[end..<end + width].contains(where: { $0 != 0 }) {
        end += width
      }
      let part = rest[..<min(end, rest.endIndex)]
      if width == 2, part.starts(with: [0xFF, 0xFE]) { isLittle = true }
      if width == 2, part.starts(with: [0xFE, 0xFF]) { isLittle = false }
      texts.append(text(part, encoding, isLittle: isLittle))
      rest = rest.dropFirst(end - rest.startIndex + width)
    }
    return texts
  }

  private static func text(
    _ bytes: ArraySlice<UInt8>, _ encoding: UInt8, isLittle: Bool
  ) -> String {
    switch encoding {
    case 1, 2:
      let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      let units = Array(bytes.dropFirst(isMarked ? 2 : 0))
      return String(
        decoding: stride(from: 0, to: units.count - 1, by: 2).map { place in
          let (first, second) = (UInt16(units[place]), UInt16(units[place + 1]))
          return isLittle ? second << 8 | first : first << 8 | second
        }, as: UTF16.self)
    case 3: return String(validating: bytes, as: UTF8.self) ?? latin(bytes)
    default: return latin(bytes)
    }
  }

  private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
    TextEncoding.windows1252.text(bytes) ?? ""
  }

  /// Names of links that others know (MusicBrainz Picard, "Tag Mapping").
  private static let links = ["WOAR": "WEBSITE", "WCOP": "LICENSE"]

  /// Frames of version 4 by those of versions 2 and 3 that have other names.
  private static let newer = [
    "TYER": "TDRC", "TYE": "TDRC", "TDA": "TDAT", "TORY": "TDOR", "TOR": "TDOR", "IPLS": "TIPL",
    "IPL": "TIPL", "TT1": "TIT1", "TT2": "TIT2", "TT3": "TIT3", "TP1": "TPE1", "TP2": "TPE2",
    "TP3": "TPE3", "TP4": "TPE4", "TAL": "TALB", "TCO": "TCON", "TRK": "TRCK", "TPA": "TPOS",
    "TCM": "TCOM", "TXT": "TEXT", "TCR": "TCOP", "TPB": "TPUB", "TBP": "TBPM", "TEN": "TENC",
    "TSS": "TSSE", "TRC": "TSRC", "TKE": "TKEY", "TLA": "TLAN", "TMT": "TMED", "TOT": "TOAL",
    "TOA": "TOPE", "TCP": "TCMP", "TSA": "TSOA", "TSP": "TSOP", "TST": "TSOT", "TSC": "TSOC",
    "TS2": "TSO2", "TXX": "TXXX", "COM": "COMM", "ULT": "USLT", "UFI": "UFID", "WXX": "WXXX",
    "GRP1": "TIT1", "WAR": "WOAR", "WCP": "WCOP", "TLE": "TLEN",
  ]
}

/// Genres by number (ID3v1 and the extensions of Winamp), which texts of ID3v2 may name.
enum ID3Genres {
  /// The genres in a text: `17`, `(17)`, `(4)Eurodisco`, `(51)(39)` (ID3v2.3.0, 4.2.1), `RX` and `CR`, or names as they are; `((` begins
  /// a name that has a bracket.
  static func names(_ text: String) -> [String] {
    var rest = text[...]
    var found: [String] = []
    while rest.hasPrefix("("), !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")"),
      let name = name(rest[rest.index(after: rest.startIndex)..<end])
    {
      found.append(name)
      rest = rest[rest.index(after: end)...]
    }
    if rest.hasPrefix("((") { rest = rest.dropFirst() }
    if !rest.isEmpty { found.append(name(rest) ?? String(rest)) }
    return found
  }

  /// The genre that a number or a word for one means; `nil` for any other text.
  private static func name(_ text: Substring) -> String? {
    switch text {
    case "RX": return "Remix"
    case "CR": return "Cover"
    default: return Int(text).flatMap { all.indices.contains($0) ? all[$0] : nil }
    }
  }

  private static let all =
    """
    Blues|Classic Rock|Country|Dance|Disco|Funk|Grunge|Hip-Hop|Jazz|Metal|New Age|Oldies|Other|
    Pop|R&B|Rap|Reggae|Rock|Techno|Industrial|Alternative|Ska|Death Metal|Pranks|Soundtrack|
    Euro-Techno|Ambient|Trip-Hop|Vocal|Jazz+Funk|Fusion|Trance|Classical|Instrumental|Acid|
    House|Game|Sound Clip|Gospel|Noise|Alt. Rock|Bass|Soul|Punk|Space|Meditative|
    Instrumental Pop|Instrumental Rock|Ethnic|Gothic|Darkwave|Techno-Industrial|Electronic|
    Pop-Folk|Eurodance|Dream|Southern Rock|Comedy|Cult|Gangsta Rap|Top 40|Christian Rap|
    Pop/Funk|Jungle|Native American|Cabaret|New Wave|Psychedelic|Rave|Showtunes|Trailer|Lo-Fi|
    Tribal|Acid Punk|Acid Jazz|Polka|Retro|Musical|Rock & Roll|Hard Rock|Folk|Folk-Rock|
    National Folk|Swing|Fast-Fusion|Bebop|Latin|Revival|Celtic|Bluegrass|Avantgarde|Gothic Rock|
    Progressive Rock|Psychedelic Rock|Symphonic Rock|Slow Rock|Big Band|Chorus|Easy Listening|
    Acoustic|Humour|Speech|Chanson|Opera|Chamber Music|Sonata|Symphony|Booty Bass|Primus|
    Porn Groove|Satire|Slow Jam|Club|Tango|Samba|Folklore|Ballad|Power Ballad|Rhythmic Soul|
    Freestyle|Duet|Punk Rock|Drum Solo|A Cappella|Euro-House|Dance Hall|Goa|Drum & Bass|
    Club-House|Hardcore|Terror|Indie|BritPop|Afro-Punk|Polsk Punk|Beat|Christian Gangsta Rap|
    Heavy Metal|Black Metal|Crossover|Contemporary Christian|Christian Rock|Merengue|Salsa|
    Thrash Metal|Anime|JPop|Synthpop|Abstract|Art Rock|Baroque|Bhangra|Big Beat|Breakbeat|
    Chillout|Downtempo|Dub|EBM|Eclectic|Electro|Electroclash|Emo|Experimental|Garage|Global|IDM|
    Illbient|Industro-Goth|Jam Band|Krautrock|Leftfield|Lounge|Math Rock|New Romantic|Nu-Breakz|
    Post-Punk|Post-Rock|Psytrance|Shoegaze|Space Rock|Trop Rock|World Music|Neoclassical|
    Audiobook|Audio Theatre|Neue Deutsche Welle|Podcast|Indie Rock|G-Funk|Dubstep|Garage Rock|
    Psybient
    """.split(separator: "\n").joined().split(separator: "|").map(String.init)
}
