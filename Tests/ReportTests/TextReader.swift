// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Collects the content of every `text` element.
final class TextReader: NSObject, XMLParserDelegate {
  private(set) var texts: [String] = []
  private var isInside = false

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
  ) {
    isInside = elementName == "text"
    if isInside { texts.append("") }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if isInside { texts[texts.count - 1] += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    isInside = false
  }
}
