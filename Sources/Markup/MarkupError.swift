/// A reason to refuse an XML document.
package struct MarkupError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of fault it is.
  package enum Code: String, Sendable, CaseIterable {
    /// The document isn't well-formed.
    case syntax
    /// The document has a document type declaration.
    case documentType
    /// A count or size is above what is accepted.
    case limit
  }

  /// What kind of fault it is.
  package let code: Code
  /// What is wrong and what to do, without the place.
  package let message: String
  /// Where in the document; `nil` for a fault of the whole.
  package let place: XMLPlace?

  /// A refusal with its sentence.
  package init(_ code: Code, _ message: String, at place: XMLPlace? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// Place and message in one line.
  package var description: String { place.map { "\($0): \(message)" } ?? message }
}
