/// A place in an XML document.
package struct XMLPlace: Sendable, Equatable, CustomStringConvertible {
  /// Bytes before it.
  package let offset: Int
  /// Number of the line, from 1.
  package let line: Int
  /// Byte within the line, from 1.
  package let column: Int
  /// The innermost element that is open there; `nil` outside the root.
  package let element: String?

  /// Line, column and element.
  package var description: String {
    "line \(line), column \(column)" + (element.map { ", in \($0)" } ?? "")
  }
}
