/// Descriptive tags carried into the output, where its format has a place for them.
public struct OutputTags: Sendable, Equatable {
  /// Title.
  public var title: String?
  /// Artist.
  public var artist: String?
  /// Album.
  public var album: String?
  /// Comment.
  public var comment: String?
  /// Copyright.
  public var copyright: String?
  /// Date or year.
  public var date: String?
  /// Genre.
  public var genre: String?
  /// Track number.
  public var track: String?

  /// No tags.
  public init() {}
}
