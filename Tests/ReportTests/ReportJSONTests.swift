// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import Testing

/// Reports hold names as they are, and a terminal that shows them does nothing.
@Suite struct ReportJSONTests {
  @Test(
    "characters that are commands to a terminal are escaped, and read back as they were",
    arguments: [
      ("a\u{7F}b", "\"a\\u007fb\""), ("\u{85}\u{9B}2J", "\"\\u0085\\u009b2J\""),
      ("\u{202E}x\u{2066}\u{61C}", "\"\\u202ex\\u2066\\u061c\""),
      ("\u{2028}\u{2029}", "\"\\u2028\\u2029\""), ("\u{1B}[2J", "\"\\u001b[2J\""),
      ("über e\u{301} 😀\u{A0}", "\"über e\u{301} 😀\u{A0}\""), ("\\u0085", "\"\\\\u0085\""),
    ])
  func commandsAreEscaped(text: String, json: String) throws {
    let line = try ReportJSON.line(text)
    #expect(Array(line.utf8) == Array(json.utf8), "\(line)")
    #expect(try ReportJSON.pretty([text]).utf8.elementsEqual("[\n  \(json)\n]\n".utf8))
    let found = try JSONDecoder().decode([String].self, from: Data("[\(line)]".utf8))
    #expect(found.map { Array($0.utf8) } == [Array(text.utf8)])
    #expect(try JSONValue(json: Array(line.utf8)) == .text(text))
  }
}
