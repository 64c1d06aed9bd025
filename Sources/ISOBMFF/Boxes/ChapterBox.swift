import AudioCore

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
