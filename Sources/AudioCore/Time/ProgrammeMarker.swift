/// A named place in an output, such as the beginning of a chapter; a chapter lasts until the next one begins.
package struct ProgrammeMarker: Sendable, Hashable {
  /// When it is, counted from the output's first sample. It is exact: neither milliseconds nor samples.
  package var time: MediaTime
  /// What it is called; may be empty.
  package var title: String

  /// A marker of these values.
  package init(time: MediaTime, title: String) {
    self.time = time
    self.title = title
  }
}
