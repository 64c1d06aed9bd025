// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads well-formed markup: elements with their attributes and text.
final class MarkupReader: NSObject, XMLParserDelegate {
  /// One element in the order of the file.
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// - Throws: the parser's error when `text` isn't well-formed.
  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  /// All elements with this name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// Values of an attribute wherever it stands.
  func values(_ attribute: String) -> [String] {
    elements.compactMap { $0.attributes[attribute] }
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
  ) {
    open.append(elements.count)
    elements.append(Element(name: elementName, attributes: attributeDict))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    for index in open { elements[index].text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    open.removeLast()
  }
}
