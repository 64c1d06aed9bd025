/// A chapter: it lasts until the next one begins.
public struct MovieChapter: Sendable, Equatable {
  /// When it begins, in milliseconds from the presentation's beginning.
  public var start: Int64
  /// What it is called.
  public var title: String

  /// A chapter of these values.
  public init(start: Int64, title: String) {
    self.start = start
    self.title = title
  }
}
