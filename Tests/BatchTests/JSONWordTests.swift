// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Batch

/// Words for files of JSON, YAML and Python.
@Suite struct JSONWordTests {
  @Test(
    "control characters and line separators are escaped in JSON words",
    arguments: [
      ("plain é✓", "\"plain é✓\""), ("a\"b\\c", #""a\"b\\c""#),
      ("\u{1}\n\u{1F}", #""\u0001\u000a\u001f""#),
      ("\u{7E}\u{7F}\u{85}\u{A0}\u{A1}", "\"~" + #"\u007f\u0085\u00a0"# + "\u{A1}\""),
      ("\u{2028}\u{2029}\u{FEFF}", #""\u2028\u2029\ufeff""#), ("", "\"\""),
    ])
  func charactersThatReadersTreatDifferentlyAreEscaped(text: String, word: String) throws {
    #expect(JSONWord.quoted(text) == word)
    #expect(try JSONDecoder().decode([String].self, from: Data("[\(word)]".utf8)) == [text])
  }

  @Test("a list of JSON words keeps its order")
  func listsHaveTheirWordsInOrder() throws {
    let texts = ["a", "b c", "\"", ""]
    let list = JSONWord.list(texts)
    #expect(list == #"["a", "b c", "\"", ""]"#)
  }
}
