/// Descriptive tags of a movie; empty ones aren't written.
public struct MovieTags: Sendable, Equatable {
  /// Title.
  public var title: String?
  /// Artist.
  public var artist: String?
  /// Album.
  public var album: String?
  /// Date or year.
  public var date: String?
  /// Genre.
  public var genre: String?
  /// Comment.
  public var comment: String?
  /// Copyright.
  public var copyright: String?
  /// Track number, 1…65535.
  public var trackNumber: Int?
  /// Number of tracks, 1…65535; only with a track number.
  public var trackCount: Int?
  /// What made the file, e.g. `Pinna 1.0.0`.
  public var encoder: String?
  /// Cover picture, a whole JPEG or PNG file; others aren't written.
  public var cover: [UInt8]?

  /// Chapters that are written at most.
  public static let chapterLimit = ChapterBox.limit

  /// Whether `bytes` are a picture that can be written as cover: JPEG or PNG.
  public static func isCover(_ bytes: [UInt8]) -> Bool { TagsBox.pictureKind(bytes) != nil }

  /// Chapters in order; ``chapterLimit`` at most are written.
  public var chapters: [MovieChapter] = []

  /// No tags.
  public init() {}
}
