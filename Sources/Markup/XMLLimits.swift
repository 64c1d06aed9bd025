/// What a document may ask for at most. Real masters stay far below; hostile ones don't.
package struct XMLLimits: Sendable {
  /// Bytes of the document.
  package var documentBytes = 1 << 30
  /// Elements inside each other.
  package var depth = 64
  /// Attributes of one element.
  package var attributes = 64
  /// Bytes of a name with its prefix.
  package var nameBytes = 256
  /// Bytes of an attribute's value.
  package var valueBytes = 1 << 16
  /// Bytes of text directly in one element; blanks before the text aren't counted.
  package var textBytes = 1 << 16

  /// The usual limits.
  package init() {}
}
