/// An attribute of the element that a reader is at.
package struct XMLAttribute: Sendable {
  /// The name with its prefix.
  let fullName: Range<Int>
  /// The name without its prefix.
  let name: Range<Int>
  /// The value between the quotes.
  let value: XMLValue
}
