/// The chapter list that players of MP4 read: `chpl` in `udta`. No standard defines it; it has the
/// form that Nero wrote and libavformat reads.
struct ChapterBox: WritableBox {
  /// Chapters at most: their number has 8 bits.
  static let limit = 255

  private let chapters: [MovieChapter]

  init(_ chapters: [MovieChapter]) { self.chapters = Array(chapters.prefix(ChapterBox.limit)) }

  func append(to builder: inout BoxBuilder) {
    guard !chapters.isEmpty else { return }
    builder.fullBox("chpl", version: 1) { box in
      box.zeros(4)
      box.u8(chapters.count)
      for chapter in chapters {
        // Times are in units of 100 ns.
        box.u64(min(max(0, chapter.start), 1 << 48) * 10_000)
        var title = Array(chapter.title.utf8.prefix(255))
        while !title.isEmpty, String(validating: title, as: UTF8.self) == nil {
          title.removeLast()
        }
        box.u8(title.count)
        box.append(title)
      }
    }
  }
}
