// SPDX-License-Identifier: Apache-2.0
import Foundation
import Markup
import Report

/// The bytes are reports that are read back. They are shown in every form, and written as they were read.
func fuzzReport(_ bytes: [UInt8]) {
  guard let items = try? ReportParser.items(Data(bytes), name: "input", root: "/nowhere") else {
    return
  }
  for item in items {
    switch item.content {
    case .render(let report): checkWriting(report)
    case .comparison(let report): checkWriting(report)
    case .golden(let report): checkWriting(report)
    case .validation(let report): checkWriting(report)
    case .measurement(let report): checkWriting(report)
    case .album(let report): checkWriting(report)
    }
  }
  _ = ReportPage(items: items).html()
  _ = MarkdownReport(items: items).text()
  checkXML(JUnitReport(items: items).xml())
}

/// Makes sure that a value that is written as JSON is read as one that is written alike.
func checkWriting<Value: Codable>(_ value: Value) {
  do {
    let text = try ReportJSON.pretty(value)
    let again = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    let second = try ReportJSON.pretty(again)
    demand(second == text, "a \(Value.self) is read as it was written:\n\(text)\n---\n\(second)")
  } catch { demand(false, "a \(Value.self) can be written and read: \(error)") }
}

/// Makes sure that a document is XML.
func checkXML(_ text: String) {
  do {
    let reader = try XMLReader(Array(text.utf8))
    var isOpen = true
    while isOpen {
      if case .finish = try reader.next() { isOpen = false }
    }
  } catch { demand(false, "a document is XML: \(error)\n\(text)") }
}
