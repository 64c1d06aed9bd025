/// An attribute of the element that a reader is at.
package struct XMLAttribute: Sendable {
  /// The name with its prefix.
  package let fullName: Range<Int>
  /// The name without its prefix.
  package let name: Range<Int>
  /// The value between the quotes.
  package let value: XMLValue
}
