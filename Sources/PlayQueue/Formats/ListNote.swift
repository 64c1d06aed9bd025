/// What a reader of a list assumed, replaced or left out, so that nothing happens without telling.
package struct ListNote: Sendable, Equatable {
  /// What kind of note it is.
  package enum Code: String, Sendable, CaseIterable {
    /// The text was read as Windows-1252, because it isn't valid UTF-8, or as UTF-16 without a byte order mark.
    case encodingAssumed = "encoding-assumed"
    /// A line or an option isn't known and has no effect.
    case unknownLine = "unknown-line"
    /// A code such as ISRC doesn't have its form; it was kept as it is.
    case oddCode = "odd-code"
    /// Sound lies before the first track; it is kept as item 0.
    case hiddenTrack = "hidden-track"
    /// The file named isn't there; another one takes its place.
    case replacedName = "replaced-name"
    /// A track was recorded with pre-emphasis (50/15 µs).
    case preEmphasis = "pre-emphasis"
    /// A sheet's times may have been counted with or without the delay of an MP3 file.
    case uncertainStart = "uncertain-start"
    /// An effect, a flag or a track of pictures has no influence on what is rendered.
    case ignored
  }

  /// What kind of note it is.
  package let code: Code
  /// The line, counted from 1; `nil` for the whole, and for JSON.
  package let line: Int?
  /// One sentence.
  package let message: String

  /// A note with its sentence.
  package init(_ code: Code, line: Int? = nil, _ message: String) {
    self.code = code
    self.line = line
    self.message = message
  }
}

extension [ListNote] {
  /// Appends `note`; one behind the limit says that further ones are left out, and nothing follows it.
  mutating func keep(_ note: ListNote) {
    guard count < ListLimits.notes else {
      if count == ListLimits.notes {
        append(
          ListNote(.ignored, "there are more notes than \(ListLimits.notes); the rest is left out"))
      }
      return
    }
    append(note)
  }
}
