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
    let texts = [
      ("©nam", tags.title), ("©ART", tags.artist), ("©alb", tags.album), ("©day", tags.date),
      ("©gen", tags.genre), ("©cmt", tags.comment), ("cprt", tags.copyright),
      ("©too", tags.encoder),
    ]
    for (type, text) in texts {
      guard let text, !text.isEmpty else { continue }
      TagsBox.append(type, kind: 1, Array(text.utf8), to: &items)
    }
    if let number = tags.trackNumber {
      var value = BoxBuilder()
      value.zeros(2)
      value.u16(number)
      value.u16(tags.trackCount ?? 0)
      value.zeros(2)
      TagsBox.append("trkn", kind: 0, value.bytes, to: &items)
    }
    if tags.isAudiobook {
      // Kind of media: audiobook. Playback without gaps: yes. Both are integers of one byte.
      TagsBox.append("stik", kind: 21, [2], to: &items)
      TagsBox.append("pgap", kind: 21, [1], to: &items)
    }
    if let cover = tags.cover, let kind = TagsBox.pictureKind(cover) {
      TagsBox.append("covr", kind: kind, cover, to: &items)
    }
  }

  private static func append(
    _ type: String, kind: UInt32, _ value: [UInt8], to items: inout BoxBuilder
  ) {
    items.box(type) { item in
      item.box("data") { data in
        data.u32(kind)
        data.u32(0)
        data.append(value)
      }
    }
  }

  /// 13 for JPEG, 14 for PNG by their signatures.
  static func pictureKind(_ bytes: [UInt8]) -> UInt32? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return 13 }
    return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? 14 : nil
  }
}
