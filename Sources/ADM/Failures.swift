import AudioCore
import Markup

/// A reason to refuse a file with audio definition metadata.
package struct ADMError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of fault it is.
  package enum Code: String, Sendable, CaseIterable {
    /// Chunks of the WAV file contradict each other or the file's size.
    case container
    /// The document isn't well-formed XML.
    case syntax
    /// The document has a document type declaration.
    case documentType
    /// A count or size is above what is accepted.
    case limit
    /// A value isn't of the form or in the range that its element demands.
    case value
    /// Two elements of one kind have the same identifier.
    case duplicate
    /// A reference leads to no element, or to one of another kind.
    case reference
    /// Elements contain each other.
    case cycle
    /// Tracks and channels can't be matched, or match in more than one way.
    case tracks
    /// What was asked for names nothing that is there, contradicts itself or is more than the file allows.
    case request
    /// What was asked to be changed is nothing that the file lets a listener change at all.
    case interaction
    /// The file uses a feature that isn't supported.
    case unsupported
  }

  /// What kind of fault it is.
  package let code: Code
  /// What is wrong and what to do, without the place.
  package let message: String
  /// Where in the document; `nil` for a fault of the container, or of the whole.
  package let place: XMLPlace?

  /// A refusal with its sentence.
  package init(_ code: Code, _ message: String, at place: XMLPlace? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// The refusal of the document's XML.
  init(_ error: MarkupError) {
    switch error.code {
    case .syntax: self.init(.syntax, error.message, at: error.place)
    case .documentType: self.init(.documentType, error.message, at: error.place)
    case .limit: self.init(.limit, error.message, at: error.place)
    }
  }

  /// Place and message in one line.
  package var description: String { place.map { "\($0): \(message)" } ?? message }

  /// The failure that a run about the file `name` ends with.
  package func mediaError(about name: String) -> MediaError {
    MediaError(kind, about: name, description, cause: self)
  }

  private var kind: MediaError.Kind {
    switch code {
    case .unsupported: return .unsupportedFeature
    case .request, .interaction: return .usage
    default: return .damaged
    }
  }
}
