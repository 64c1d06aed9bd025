// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// Vorbis comments as FLAC, Opus and Vorbis hold them (Vorbis I, 5; RFC 9639, 8.6; RFC 7845, 5.2).
package struct CommentBlock: Sendable, Equatable {
  /// Name of the program that wrote the file.
  private static let vendor = "Pinna"

  /// Names and values in order.
  private(set) var entries: [(name: String, value: String)] = []

  /// No comments.
  init() {}

  package static func == (first: CommentBlock, second: CommentBlock) -> Bool {
    first.bytes == second.bytes
  }

  /// Adds a comment. A value that is missing or empty isn't added.
  mutating func add(_ name: String, _ value: String?) {
    if let value, !value.isEmpty { entries.append((name, value)) }
  }

  /// Adds who made the file, and the tags under their names in Vorbis comments.
  mutating func add(_ tags: MediaTags, maker: String) {
    add("ENCODED_BY", maker)
    for entry in tags.entries where CommentBlock.takes(entry) {
      add(CommentBlock.name(of: entry), entry.value)
    }
  }

  /// Adds the channel mask, where the channel count alone doesn't determine the layout (RFC 9639, 8.6.2 and 9.1.3).
  mutating func addChannelMask(of layout: ChannelLayout) {
    let byCount: Set<UInt64> = [0x4, 0x3, 0x7, 0x33, 0x607, 0x60F, 0x70F, 0x63F]
    guard layout.unnamed == 0, !byCount.contains(layout.mask) else { return }
    add("WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "0x" + String(layout.mask, radix: 16))
  }

  mutating func add(_ chapters: [ProgrammeMarker]) {
    for (name, value) in ChapterComments.entries(of: chapters) { add(name, value) }
  }

  /// Whether the tag has a name that a comment can have: ASCII from space on, without `=` and `~`.
  package static func takes(_ entry: MediaTags.Entry) -> Bool {
    let name = name(of: entry)
    return !name.isEmpty && name.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != 0x3D }
  }

  /// Bytes of the tag among the comments.
  package static func size(_ entry: MediaTags.Entry) -> Int {
    4 + name(of: entry).utf8.count + 1 + entry.value.utf8.count
  }

  /// A name that Vorbis comments use stays as it was found, but for libavformat's own, such as `track`, which players don't read.
  static func name(of entry: MediaTags.Entry) -> String {
    guard let known = entry.known, let usual = known.comments.first else { return entry.name }
    let isFound = entry.name != known.name && known.comments.contains(entry.name.uppercased())
    return isFound || usual == entry.name.uppercased() ? entry.name : usual
  }

  /// The block without framing: vendor, number of comments, comments.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    func text(_ text: String) {
      result += UInt32(clamping: text.utf8.count).littleEndianBytes + Array(text.utf8)
    }
    text(CommentBlock.vendor)
    result += UInt32(clamping: entries.count).littleEndianBytes
    for entry in entries { text("\(entry.name)=\(entry.value)") }
    return result
  }
}

/// A picture as FLAC and Ogg hold it (RFC 9639, 8.8).
package struct PictureBlock {
  private let picture: AttachedPicture

  /// The block of `picture`.
  package init(_ picture: AttachedPicture) { self.picture = picture }

  /// Kind, type, description, width, height, a depth of 24 bits, no palette, and the file.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func number(_ value: Int) { bytes += UInt32(clamping: value).bigEndianBytes }
    func text(_ text: String) {
      number(text.utf8.count)
      bytes += Array(text.utf8)
    }
    number(picture.kind)
    text(picture.mediaType)
    text(picture.text)
    for value in [picture.width, picture.height, 24, 0, picture.bytes.count] { number(value) }
    return bytes + picture.bytes
  }
}

/// Chapters as Vorbis comments (Xiph.Org, "Chapter Extension"): `CHAPTERnnn=hh:mm:ss.mmm` and `CHAPTERnnnNAME`,
/// counted from 001 like the tracks of a cue sheet, because readers merge both by their numbers.
package enum ChapterComments {
  /// Chapters that three digits can count.
  package static let limit = 999

  /// The comments of the first ``limit`` chapters in order; a chapter without a title has only its time.
  package static func entries(of chapters: [ProgrammeMarker]) -> [(name: String, value: String)] {
    var all: [(name: String, value: String)] = []
    for (index, chapter) in chapters.prefix(limit).enumerated() {
      let key = "CHAPTER" + String(1001 + index).dropFirst()
      all.append((key, chapter.time.description))
      // A zero would end the comment.
      let title = chapter.title.filter { $0 != "\0" }
      if !title.isEmpty { all.append((key + "NAME", title)) }
    }
    return all
  }
}
