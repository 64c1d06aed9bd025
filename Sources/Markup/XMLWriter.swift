// SPDX-License-Identifier: Apache-2.0

/// Writes XML 1.0 in UTF-8: elements with attributes, text or children, each on a line of its own.
package struct XMLWriter {
  /// The document so far.
  package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  private var open: [String] = []

  /// A document without an element.
  package init() {}

  package typealias Attribute = (name: String, value: String)

  /// Begins an element that has children; ``end()`` ends it.
  package mutating func begin(_ name: String, _ attributes: [Attribute] = []) {
    start(name, attributes)
    append(">\n")
    open.append(name)
  }

  /// Ends the element that was begun last.
  package mutating func end() {
    guard let name = open.popLast() else { return }
    indent()
    append("</\(name)>\n")
  }

  /// Writes an element with text; without it, an empty one.
  package mutating func element(_ name: String, _ attributes: [Attribute] = [], _ text: String = "")
  {
    start(name, attributes)
    if text.isEmpty {
      append("/>\n")
    } else {
      append(">")
      append(XMLWriter.escaped(text))
      append("</\(name)>\n")
    }
  }

  private mutating func start(_ name: String, _ attributes: [Attribute]) {
    indent()
    append("<\(name)")
    for (name, value) in attributes { append(" \(name)=\"\(XMLWriter.escaped(value))\"") }
  }

  private mutating func indent() {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// The text with what has a meaning in XML written as references. Characters that XML can't hold become
  /// U+FFFD; blanks other than spaces are kept as references, because readers make spaces of them in
  /// attributes.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
