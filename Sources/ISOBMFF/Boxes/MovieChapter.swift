import AudioCore

/// A chapter: it lasts until the next one begins.
package struct MovieChapter: Sendable, Equatable {
  /// When it begins, counted from the presentation's beginning.
  package var start: MediaTime
  /// What it is called.
  package var title: String

  /// A chapter of these values.
  package init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}
