// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// A tag of ID3v2 (id3.org): of version 4 in UTF-8, as WAV files hold it in their chunk `id3 `, or of version 3, which more
/// players of MP3 read.
package struct ID3Block {
  /// The versions that are written.
  package enum Version: UInt8 {
    case third = 3
    case fourth = 4
  }

  /// Bytes of a tag at most: its size has 28 bits.
  package static let longest = 1 << 28 - 1
  /// Bytes that the texts of ReplayGain need at most.
  package static let own = 512
  /// Chapters that a table of contents counts in its byte (ID3v2 Chapter Frame Addendum, 3.2).
  package static let mostChapters = 255
  /// Owner of the frame that names a recording (MusicBrainz Picard, "Tag Mapping").
  private static let musicBrainz = "http://musicbrainz.org"
  /// Language of comments and lyrics when it isn't known (ID3v2.4.0, 4.8).
  private static let language = Array("XXX".utf8)

  private let version: Version
  private var frames: [UInt8] = []

  /// All of `tags`, those without a frame as `TXXX`, and the pictures.
  package init(
    _ tags: MediaTags, pictures: [AttachedPicture] = [], version: Version = .fourth
  ) {
    self.version = version
    var joined: Set<String> = []
    for (entry, values) in tags.grouped {
      guard let total = entry.known?.total, values.count == 1, values[0].parts(at: "/").count == 1,
        let count = tags[total]
      else { continue }
      add(entry, ["\(values[0])/\(count)"])
      joined.formUnion([entry.key, total])
    }
    for (entry, values) in tags.grouped where !joined.contains(entry.key) { add(entry, values) }
    for picture in pictures { add(picture) }
  }

  /// Whether it has no frames.
  var isEmpty: Bool { frames.isEmpty }

  /// The tag; none without frames.
  package var bytes: [UInt8] { bytes(padding: 0) }

  /// The tag with zeros behind its frames, into which programs may write longer texts; none without frames.
  func bytes(padding: Int) -> [UInt8] {
    guard !frames.isEmpty else { return [] }
    return Array("ID3".utf8) + [version.rawValue, 0, 0] + ID3Block.syncsafe(frames.count + padding)
      + frames + [UInt8](repeating: 0, count: padding)
  }

  /// Adds a text under a name of its own.
  mutating func add(_ name: String, _ text: String) { freeText(name, [text]) }

  private mutating func add(_ entry: MediaTags.Entry, _ values: [String]) {
    switch entry.known?.frame {
    case "COMM", "USLT":
      // Frames of one language differ in their descriptions.
      for (index, value) in values.enumerated() {
        let text = Text([index == 0 ? "" : "\(index + 1)", value], version)
        frame(
          entry.known?.frame ?? "", [text.encoding] + ID3Block.language + text.bytes)
      }
    case "TDRC" where version == .third: addDate(entry, values)
    case "TDOR" where version == .third: addYear("TORY", entry, values)
    case "TMOO" where version == .third: freeText(entry.known?.freeName ?? entry.name, values)
    case let id?:
      let text = Text(values, version)
      frame(id, [text.encoding] + text.bytes)
    case nil
    where entry.key == "musicbrainz_trackid" && values.count == 1 && values[0].utf8.count <= 64:
      frame("UFID", Array(ID3Block.musicBrainz.utf8) + [0] + values[0].utf8.filter { $0 != 0 })
    case nil: freeText(entry.known?.freeName ?? entry.name, values)
    }
  }

  private mutating func freeText(_ name: String, _ values: [String]) {
    let text = Text([name] + values, version)
    frame("TXXX", [text.encoding] + text.bytes)
  }

  /// Version 3 has the year in one frame, and day and month in another (ID3v2.3.0, 4.2.1); a date in another form than
  /// year-month-day keeps its text besides.
  private mutating func addDate(_ entry: MediaTags.Entry, _ values: [String]) {
    let parts = (values.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
    let isDay =
      values.count == 1 && parts.count == 3
      && zip(parts, [4, 2, 2]).allSatisfy { $0.count == $1 && $0.allSatisfy(\.isNumber) }
    guard isDay else { return addYear("TYER", entry, values) }
    for (id, text) in [("TYER", String(parts[0])), ("TDAT", "\(parts[2])\(parts[1])")] {
      let text = Text([text], version)
      frame(id, [text.encoding] + text.bytes)
    }
  }

  private mutating func addYear(_ id: String, _ entry: MediaTags.Entry, _ values: [String]) {
    let year = (values.first ?? "").prefix(4)
    if year.count == 4, year.allSatisfy(\.isNumber) {
      let text = Text([String(year)], version)
      frame(id, [text.encoding] + text.bytes)
      if values == [String(year)] { return }
    }
    freeText(entry.known?.freeName ?? entry.name, values)
  }

  private mutating func add(_ picture: AttachedPicture) {
    let text = Text([picture.text], version)
    frame(
      "APIC",
      [text.encoding] + Array(picture.mediaType.utf8) + [0, UInt8(clamping: picture.kind)]
        + text.bytes + text.end + picture.bytes)
  }

  private mutating func frame(_ id: String, _ content: [UInt8]) {
    frames += ID3Block.frame(id, content, version)
  }

  private static func frame(_ id: String, _ content: [UInt8], _ version: Version) -> [UInt8] {
    let size =
      version == .fourth ? syncsafe(content.count) : UInt32(clamping: content.count).bigEndianBytes
    return Array(id.utf8) + size + [0, 0] + content
  }

  /// A size in four bytes of seven bits.
  private static func syncsafe(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 0x7F) }
  }
}

extension ID3Block {
  /// Adds the first ``mostChapters`` chapters and their table of contents (ID3v2 Chapter Frame Addendum), in whole
  /// milliseconds; the last one ends at `end`.
  mutating func add(_ chapters: [ProgrammeMarker], end: MediaTime) {
    guard !chapters.isEmpty else { return }
    let chapters = chapters.prefix(ID3Block.mostChapters)
    let times = (chapters.map(\.time) + [end]).map { UInt32(clamping: $0.samples(at: 1000)) }
    let names = chapters.indices.map { Array("ch\($0)".utf8) + [0] }
    // The flags say that nothing is above this table, and that its order counts.
    frame("CTOC", Array("toc".utf8) + [0, 3, UInt8(names.count)] + names.joined())
    for (index, chapter) in chapters.enumerated() {
      var content = names[index]
      content += times[index].bigEndianBytes + max(times[index], times[index + 1]).bigEndianBytes
      // Places in the file, which all readers can do without.
      content += [UInt8](repeating: 0xFF, count: 8)
      if !chapter.title.isEmpty {
        let text = Text([chapter.title], version)
        content += ID3Block.frame("TIT2", [text.encoding] + text.bytes, version)
      }
      frame("CHAP", content)
    }
  }

  /// Texts of one frame with zeros between them.
  ///
  /// Version 3 knows one text (ID3v2.3.0, 4.2): its readers pass over what follows the zeros, and most show it.
  private struct Text {
    /// The byte that says how they are encoded.
    let encoding: UInt8
    /// The texts; the last has no zeros behind it.
    let bytes: [UInt8]
    /// The zeros that end a text.
    let end: [UInt8]

    /// `texts` in UTF-8 for version 4, and for version 3 in ASCII or, with marks of the byte order, in UTF-16.
    init(_ texts: [String], _ version: Version) {
      let isWide =
        version == .third && !texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
      end = isWide ? [0, 0] : [0]
      encoding = version == .fourth ? 3 : isWide ? 1 : 0
      bytes = Array(
        texts.map { text in
          guard isWide else { return text.utf8.filter { $0 != 0 } }
          return [0xFF, 0xFE] + text.utf16.filter { $0 != 0 }.flatMap(\.littleEndianBytes)
        }.joined(separator: end))
    }
  }
}
