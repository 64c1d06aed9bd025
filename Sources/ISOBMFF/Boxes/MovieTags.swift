/// An item of Apple's list of tags: an atom, or a freeform one, with one value or several.
package struct MovieItem: Sendable, Equatable {
  /// A value as its `data` box holds it.
  package enum Value: Sendable, Equatable {
    /// Text in UTF-8; empty ones aren't written.
    case text(String)
    /// An integer of this many bytes, 1…4.
    case integer(Int, bytes: Int)
    /// A number and how many there are, each 0…65535, as in `trkn` and `disk`.
    case number(Int, of: Int)
  }

  /// Type of the atom, four characters, e.g. `©nam`; `----` for a freeform one.
  package var type: String
  /// Name of a freeform item.
  package var name = ""
  /// Values in order.
  package var values: [Value]

  /// An item that has an atom of its own.
  package init(_ type: String, _ values: Value...) { (self.type, self.values) = (type, values) }

  /// An item that has an atom of its own.
  package init(_ type: String, values: [Value]) { (self.type, self.values) = (type, values) }

  /// A freeform item of the namespace `com.apple.iTunes`.
  package init(freeform name: String, values: [Value]) {
    (type, self.name, self.values) = ("----", name, values)
  }
}

/// Descriptive tags of a movie; empty ones aren't written.
package struct MovieTags: Sendable, Equatable {
  /// Items in order.
  package var items: [MovieItem] = []
  /// What made the file, e.g. `Pinna 1.0.0`.
  package var encoder: String?
  /// Pictures, the cover first, each a whole JPEG or PNG file; others aren't written.
  package var pictures: [[UInt8]] = []

  /// Whether `bytes` are a picture that can be written as cover: JPEG or PNG.
  package static func isCover(_ bytes: [UInt8]) -> Bool { TagsBox.pictureKind(bytes) != nil }

  /// Whether the movie is an audiobook, which players keep apart from music (`stik` 2, `pgap` 1).
  package var isAudiobook = false

  /// Chapters in order, for `chpl`, which holds the first 255.
  package var chapters: [MovieChapter] = []

  /// No tags.
  package init() {}
}
