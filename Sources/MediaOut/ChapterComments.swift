import AudioCore

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
