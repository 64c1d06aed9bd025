// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaIn

@Suite struct LanguageCodesTests {
  @Test(
    "a language serves who asks for it in two or three letters, with a region or without",
    arguments: [
      ("en", "eng"), ("en_GB", "eng"), ("pt-BR", "por"), ("pt_BR", "por"), ("DE", "ger"),
      ("deu", "ger"), ("xyz", "xyz"), ("zh-Hant", "chi"), ("zh-Hant-TW", "zh-hant"),
      ("zh-Hant-TW", "zh-TW"), ("sr-Latn-RS", "sr-RS"), ("en-GB", "en-Latn"),
    ])
  func tagsOfOneLanguageServe(left: String, right: String) {
    #expect(LanguageCodes.serves(left, right) && LanguageCodes.serves(right, left))
  }

  @Test(
    "another language, region or script doesn't serve",
    arguments: [
      ("en", "deu"), ("por", "es"), ("nb", "nn"), ("", "en"), ("xyz", "xyy"), ("es-ES", "es-419"),
      ("pt-BR", "pt-PT"), ("zh-Hans", "zh-Hant"), ("en-GB", "en-US"),
    ])
  func othersDoNot(left: String, right: String) {
    #expect(!LanguageCodes.serves(left, right) && !LanguageCodes.serves(right, left))
  }

  @Test(
    "the very tag goes before one that leaves the region open, and all of a language serve its code",
    arguments: [
      ("es-419", ["es", "es-ES", "es-419"], ["es-419"]), ("es-MX", ["es-ES", "spa"], ["spa"]),
      ("es", ["es-ES", "en", "spa"], ["es-ES", "spa"]), ("pt-PT", ["pt-BR"], []),
      ("und", ["", "und"], ["und"]),
    ])
  func theVeryTagGoesFirst(wanted: String, present: [String], best: [String]) {
    #expect(LanguageCodes.best(present, for: wanted, by: { $0 }) == best)
  }

  @Test("a list after lang: gives its tags, and a text without that word or tags gives none")
  func listsBeginWithTheirWord() {
    #expect(LanguageCodes.list("lang:en,de_AT") == ["en", "de_AT"])
    #expect(LanguageCodes.list("lang:") == nil)
    #expect(LanguageCodes.list("en,de") == nil)
  }
}
