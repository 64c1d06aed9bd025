import Testing

@testable import MediaIn

@Suite struct LanguageCodesTests {
  @Test(
    "tags of one language are the same in two or three letters and with a region",
    arguments: [
      ("en", "eng"), ("en_GB", "eng"), ("pt-BR", "por"), ("pt_BR", "por"), ("DE", "ger"),
      ("deu", "ger"), ("xyz", "xyz"),
    ])
  func tagsOfOneLanguageAreTheSame(left: String, right: String) {
    #expect(LanguageCodes.same(left, right) && LanguageCodes.same(right, left))
  }

  @Test(
    "tags of different languages differ",
    arguments: [("en", "deu"), ("por", "es"), ("nb", "nn"), ("", "en"), ("xyz", "xyy")])
  func otherLanguagesAreNot(left: String, right: String) {
    #expect(!LanguageCodes.same(left, right))
  }

  @Test("a list after lang: gives its tags, and a text without that word or tags gives none")
  func listsBeginWithTheirWord() {
    #expect(LanguageCodes.list("lang:en,de_AT") == ["en", "de_AT"])
    #expect(LanguageCodes.list("lang:") == nil)
    #expect(LanguageCodes.list("en,de") == nil)
  }
}
