// SPDX-License-Identifier: Apache-2.0

/// Bytes of a name, an attribute's value or a text: in the document itself, or where they were put
/// after references had been resolved. Valid until the reader's next token.
package struct XMLValue: Sendable {
  /// Range of the bytes.
  package let range: Range<Int>
  /// Whether they are among the resolved ones.
  package let isResolved: Bool
}

/// An attribute of the element that a reader is at.
package struct XMLAttribute: Sendable {
  /// The name with its prefix.
  package let fullName: Range<Int>
  /// The name without its prefix.
  package let name: Range<Int>
  /// The value between the quotes.
  package let value: XMLValue
}

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

/// The limits of a document. Real masters stay far below; hostile ones don't.
package struct XMLLimits: Sendable {
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

/// A reason to refuse an XML document.
package struct MarkupError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of a fault.
  package enum Code: String, Sendable, CaseIterable {
    /// The document isn't well-formed.
    case syntax
    /// The document has a document type declaration.
    case documentType
    /// A count or size is above what is accepted.
    case limit
  }

  /// Kind of the fault.
  package let code: Code
  /// Fault and remedy, without the place.
  package let message: String
  /// Place in the document; `nil` for a fault of the whole.
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

/// Finds the line and column of places in a document; places that come in order are found in one pass.
struct LineCounter {
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  /// Line and column, both from 1, of the byte at `target`, which may be the document's end.
  mutating func place(of target: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    if target < offset { self = LineCounter() }
    let end = min(target, bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      for place in offset..<max(offset, end) where bytes[place] == UInt8(ascii: "\n") {
        line += 1
        lineStart = place + 1
      }
    }
    offset = max(offset, end)
    return (line, end - lineStart + 1)
  }
}

/// Sets of bytes that the XML reader passes over in one go (XML 1.0, 2.2, 2.3 and 2.4).
struct ByteClass: OptionSet {
  let rawValue: UInt8

  /// Space, tab, line feed, carriage return.
  static let blank = ByteClass(rawValue: 1)
  /// Bytes of names; every byte beyond ASCII counts as a letter.
  static let name = ByteClass(rawValue: 2)
  /// First bytes of names.
  static let nameStart = ByteClass(rawValue: 4)
  /// Text without markup, references and control characters.
  static let text = ByteClass(rawValue: 8)
  /// Text as ``text``, without the double quote.
  static let doubleQuoted = ByteClass(rawValue: 16)
  /// Text as ``text``, without the single quote.
  static let singleQuoted = ByteClass(rawValue: 32)
  /// Everything but control characters.
  static let character = ByteClass(rawValue: 64)
  /// Everything but control characters and the right bracket.
  static let cdata = ByteClass(rawValue: 128)

  /// The classes of each byte.
  static let table: [UInt8] = (0...255).map { classes(of: UInt8($0)).rawValue }

  private static func classes(of byte: UInt8) -> ByteClass {
    var result: ByteClass = []
    let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    let isLetter =
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    let isDigit = (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    if isBlank { result.insert(.blank) }
    if isLetter { result.formUnion([.nameStart, .name]) }
    if isDigit { result.insert(.name) }
    guard byte >= 0x20 || isBlank else { return result }
    result.insert(.character)
    if byte != UInt8(ascii: "]") { result.insert(.cdata) }
    guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") else { return result }
    result.insert(.text)
    if byte != UInt8(ascii: "\"") { result.insert(.doubleQuoted) }
    if byte != UInt8(ascii: "'") { result.insert(.singleQuoted) }
    return result
  }
}
