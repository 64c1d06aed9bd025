/// Bytes of a name, an attribute's value or a text: in the document itself, or where they were put
/// after references had been resolved. Valid until the reader's next token.
package struct XMLValue: Sendable {
  /// Which bytes.
  let range: Range<Int>
  /// Whether they are among the resolved ones.
  let isResolved: Bool
}
