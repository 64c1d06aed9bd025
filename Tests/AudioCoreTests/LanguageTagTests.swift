// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

/// Codes of the Library of Congress' list of ISO 639-2; letter case of RFC 5646, 2.1.1.
@Suite struct LanguageTagTests {
  @Test(
    "a language has its shortest tag, its code of ISO 639-2/T and its own name",
    arguments: [
      ("spa", "es", "spa", "Español"), ("ger", "de", "deu", "Deutsch"),
      ("deu", "de", "deu", "Deutsch"),
      ("EN", "en", "eng", "English"), ("eng_gb", "en-GB", "eng", "English (GB)"),
      ("ZH-hant-tw", "zh-Hant-TW", "zho", "中文 (Hant-TW)"), ("alb", "sq", "sqi", "Shqip"),
      ("iw", "he", "heb", "עברית"), ("fil", "fil", "fil", nil),
      ("es-419", "es-419", "spa", "Español (419)"),
      ("mul", "mul", "mul", nil), ("en-x-us", "en-x-us", "eng", "English (x-us)"),
      ("xx", "xx", nil, nil),
    ] as [(text: String, tag: String, code: String?, name: String?)])
  func languagesHaveTheirForms(text: String, tag: String, code: String?, name: String?) {
    let found = LanguageTag(text)
    #expect(found?.text == tag && found?.terminological == code && found?.name == name)
  }

  @Test(
    "a text that names no language is no tag",
    arguments: [
      "", "und", "e", "English", "en--GB", "e1", "en GB", "en-subtitles9", "x-klingon", "-en",
    ])
  func otherTextsAreNone(text: String) {
    #expect(LanguageTag(text) == nil)
  }
}
