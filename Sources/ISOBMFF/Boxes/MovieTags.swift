/// Descriptive tags of a movie; empty ones aren't written.
package struct MovieTags: Sendable, Equatable {
  /// Title.
  package var title: String?
  /// Artist.
  package var artist: String?
  /// Album.
  package var album: String?
  /// Date or year.
  package var date: String?
  /// Genre.
  package var genre: String?
  /// Comment.
  package var comment: String?
  /// Copyright.
  package var copyright: String?
  /// Track number, 1…65535.
  package var trackNumber: Int?
  /// Number of tracks, 1…65535; only with a track number.
  package var trackCount: Int?
  /// What made the file, e.g. `Pinna 1.0.0`.
  package var encoder: String?
  /// Cover picture, a whole JPEG or PNG file; others aren't written.
  package var cover: [UInt8]?

  /// Whether `bytes` are a picture that can be written as cover: JPEG or PNG.
  package static func isCover(_ bytes: [UInt8]) -> Bool { TagsBox.pictureKind(bytes) != nil }

  /// Whether the movie is an audiobook, which players keep apart from music (`stik` 2, `pgap` 1).
  package var isAudiobook = false

  /// Chapters in order, for `chpl`, which holds the first 255.
  package var chapters: [MovieChapter] = []

  /// No tags.
  package init() {}
}
