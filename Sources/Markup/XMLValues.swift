/// Bytes of a name, an attribute's value or a text: in the document itself, or where they were put
/// after references had been resolved. Valid until the reader's next token.
package struct XMLValue: Sendable {
  /// Which bytes.
  package let range: Range<Int>
  /// Whether they are among the resolved ones.
  package let isResolved: Bool
}
