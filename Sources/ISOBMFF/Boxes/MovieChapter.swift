/// A chapter: it lasts until the next one begins.
package struct MovieChapter: Sendable, Equatable {
  /// When it begins, in milliseconds from the presentation's beginning.
  package var start: Int64
  /// What it is called.
  package var title: String

  /// A chapter of these values.
  package init(start: Int64, title: String) {
    self.start = start
    self.title = title
  }
}
