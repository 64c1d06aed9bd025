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
      let all = withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { Array($0) }
      append(all.suffix(bytes), kind: 21, to: &box)
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
