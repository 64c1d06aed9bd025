import AudioCore

/// A text and the time during which it is shown.
package struct SubtitleCue: Sendable, Equatable {
  /// Time at which it appears, in milliseconds.
  package var start: Int64
  /// Time at which it disappears, in milliseconds; after ``start``.
  package var end: Int64
  /// The text; lines end with `\n`.
  package var text: StyledText

  /// A cue of these values.
  package init(start: Int64, end: Int64, text: StyledText) {
    self.start = start
    self.end = end
    self.text = text
  }
}
