// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The tags in the form of Apple's item list (QuickTime File Format, "Metadata"; the `meta` box is
/// ISO/IEC 14496-12, 8.11.1): `udta`, `meta`, `ilst`. Nothing is written without tags.
struct TagsBox: WritableBox {
  private let tags: MovieTags

  init(_ tags: MovieTags) { self.tags = tags }

  func append(to builder: inout BoxBuilder) {
    var items = BoxBuilder()
    appendItems(to: &items)
    guard !items.bytes.isEmpty || !tags.chapters.isEmpty else { return }
    builder.box("udta") { data in
      data.append(ChapterBox(tags.chapters))
      guard !items.bytes.isEmpty else { return }
      data.fullBox("meta") { meta in
        meta.fullBox("hdlr") { box in
          box.zeros(4)
          box.fourCC("mdir")
          box.fourCC("appl")
          box.zeros(9)
        }
        meta.box("ilst") { $0.append(items.bytes) }
      }
    }
  }

  private func appendItems(to items: inout BoxBuilder) {
    // Kind of media: audiobook. Playback without gaps: yes.
    let own: [MovieItem] =
      tags.isAudiobook
      ? [MovieItem("stik", .integer(2, bytes: 1)), MovieItem("pgap", .integer(1, bytes: 1))] : []
    let others = tags.items.filter { item in !own.contains { $0.type == item.type } }
    let encoder = tags.encoder.map { [MovieItem("©too", .text($0))] } ?? []
    for item in others + encoder + own { TagsBox.append(item, to: &items) }
    let pictures = tags.pictures.compactMap { bytes in
      TagsBox.pictureKind(bytes).map { (kind: $0, bytes: bytes) }
    }
    guard !pictures.isEmpty else { return }
    items.box("covr") { item in
      for picture in pictures { TagsBox.append(picture.bytes, kind: picture.kind, to: &item) }
    }
  }

  private static func append(_ item: MovieItem, to items: inout BoxBuilder) {
    let values = item.values.filter { $0 != .text("") }
    guard !values.isEmpty else { return }
    items.box(item.type) { box in
      if item.type == "----" {
        box.fullBox("mean") { $0.append("com.apple.iTunes".utf8) }
        box.fullBox("name") { $0.append(item.name.utf8) }
      }
      for value in values { append(value, of: item, to: &box) }
    }
  }

  private static func append(
    _ value: MovieItem.Value, of item: MovieItem, to box: inout BoxBuilder
  ) {
    switch value {
    case .text(let text): append(Array(text.utf8), kind: 1, to: &box)
    case .integer(let number, let bytes):
      append(UInt32(clamping: number).bigEndianBytes.suffix(bytes), kind: 21, to: &box)
    case .number(let number, let count):
      var content = BoxBuilder()
      content.zeros(2)
      content.u16(number)
      content.u16(count)
      // `trkn` has two bytes more than `disk`.
      if item.type == "trkn" { content.zeros(2) }
      append(content.bytes, kind: 0, to: &box)
    }
  }

  private static func append(
    _ content: some Sequence<UInt8>, kind: UInt32, to box: inout BoxBuilder
  ) {
    box.box("data") { data in
      data.u32(kind)
      data.u32(0)
      data.append(content)
    }
  }

  /// 13 for JPEG, 14 for PNG by their signatures.
  static func pictureKind(_ bytes: [UInt8]) -> UInt32? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return 13 }
    return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? 14 : nil
  }
}

/// An item of Apple's list of tags: an atom, or a freeform one, with one value or several.
package struct MovieItem: Sendable, Equatable {
  /// A value as its `data` box holds it.
  package enum Value: Sendable, Equatable {
    /// Text in UTF-8; empty ones aren't written.
    case text(String)
    /// An integer of this many bytes, 1…4.
    case integer(Int, bytes: Int)
    /// A number and how many there are, each 0…65535, as in `trkn` and `disk`.
    case number(Int, of: Int)
  }

  /// Type of the atom, four characters, e.g. `©nam`; `----` for a freeform one.
  package var type: String
  /// Name of a freeform item.
  package var name = ""
  /// Values in order.
  package var values: [Value]

  /// An item that has an atom of its own.
  package init(_ type: String, _ values: Value...) { (self.type, self.values) = (type, values) }

  /// An item that has an atom of its own.
  package init(_ type: String, values: [Value]) { (self.type, self.values) = (type, values) }

  /// A freeform item of the namespace `com.apple.iTunes`.
  package init(freeform name: String, values: [Value]) {
    (type, self.name, self.values) = ("----", name, values)
  }
}

/// Descriptive tags of a movie; empty ones aren't written.
package struct MovieTags: Sendable, Equatable {
  /// Items in order.
  package var items: [MovieItem] = []
  /// Program that made the file, e.g. `Pinna 1.0.0`.
  package var encoder: String?
  /// Pictures, the cover first, each a whole JPEG or PNG file; others aren't written.
  package var pictures: [[UInt8]] = []

  /// Whether `bytes` are a picture that can be written as cover: JPEG or PNG.
  package static func isCover(_ bytes: [UInt8]) -> Bool { TagsBox.pictureKind(bytes) != nil }

  /// Whether the movie is an audiobook, which players keep apart from music (`stik` 2, `pgap` 1).
  package var isAudiobook = false

  /// Chapters in order, for `chpl`, which holds the first 255.
  package var chapters: [MovieChapter] = []

  /// No tags.
  package init() {}
}

/// A chapter: it lasts until the next one begins.
package struct MovieChapter: Sendable, Equatable {
  /// When it begins, counted from the presentation's beginning.
  package var start: MediaTime
  /// Title of the chapter.
  package var title: String

  /// A chapter of these values.
  package init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}

/// The chapter list that players of MP4 read: `chpl` in `udta`. No standard defines it; it has the
/// form that Nero wrote and libavformat reads.
struct ChapterBox: WritableBox {
  /// Chapters at most: their number has 8 bits.
  static let limit = 255

  private let chapters: [MovieChapter]

  /// The box of the first ``limit`` of `chapters`; the others only have their text track.
  init(_ chapters: [MovieChapter]) { self.chapters = Array(chapters.prefix(ChapterBox.limit)) }

  func append(to builder: inout BoxBuilder) {
    guard !chapters.isEmpty else { return }
    builder.fullBox("chpl", version: 1) { box in
      box.zeros(4)
      box.u8(chapters.count)
      for chapter in chapters {
        // Times are in units of 100 ns.
        let time = chapter.start
        box.u64(max(0, MediaTime.rescale(time.ticks, by: 10_000_000, over: time.rate)))
        let title = CutText.utf8(chapter.title, limit: 255)
        box.u8(title.count)
        box.append(title)
      }
    }
  }
}
