// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

@Suite struct PresentationChoiceTests {
  @Test("presentation numbers and lists of languages are parsed, and other texts are usage errors")
  func choicesAreParsed() throws {
    #expect(try PresentationChoice("0") == .number(0))
    #expect(try PresentationChoice("12") == .number(12))
    #expect(try PresentationChoice("lang:en") == .languages(["en"]))
    #expect(try PresentationChoice("lang:de,eng") == .languages(["de", "eng"]))
    for text in ["", "-1", "one", "lang", "lang:", "lang:,", "en", "1.0", "default"] {
      let error = #expect(throws: MediaError.self) { try PresentationChoice(text) }
      #expect(error?.kind == .usage)
      #expect(error?.message.contains("lang:en[,de]") == true)
    }
  }
}
