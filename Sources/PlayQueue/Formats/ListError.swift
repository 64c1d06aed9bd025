import AudioCore

/// A reason to refuse a list of another program.
package struct ListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  package let kind: MediaError.Kind
  /// The line, counted from 1; `nil` for a fault of the whole, and for JSON.
  package let line: Int?
  /// What is wrong and what to do, without the file and the line.
  package let message: String

  /// A refusal with its sentence.
  package init(_ kind: MediaError.Kind, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.line = line
    self.message = message
  }

  /// The place and the sentence.
  package var description: String { line.map { "line \($0): \(message)" } ?? message }

  /// The failure with the list's own name in front.
  package func about(_ list: String) -> MediaError { MediaError(kind, about: list, description) }
}
