// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

/// Words that were probably meant.
@Suite struct SuggestionTests {
  /// Each letter that is added, left out or changed counts one, and so do two that are exchanged.
  @Test(
    "the distance of two words counts letters that are added, lost, changed or swapped",
    arguments: [
      ("rate", "rate", 0), ("rate", "rates", 1), ("rate", "raxtye", 2), ("rates", "rate", 1),
      ("raxtye", "rate", 2), ("rate", "race", 1), ("rate", "raet", 1), ("rate", "artes", 2),
      ("", "abc", 3), ("abc", "", 3), ("abc", "xyz", 3),
    ])
  func differencesAreCountedByTheLetter(first: String, second: String, distance: Int) {
    #expect(Suggestion.distance(first, second) == distance)
  }

  @Test("words up to two letters away are suggested")
  func wordsUpToTwoLettersAwayAreSuggested() {
    let words = ["loudness", "endpoint", "format"]
    #expect(Suggestion.text(for: "lodnes", among: words) == " (did you mean loudness?)")
    #expect(Suggestion.nearest(to: "lodnes", among: words) == "loudness")
    #expect(Suggestion.text(for: "fromat", among: words).contains("format"))
    #expect(Suggestion.text(for: "lounes", among: words).contains("loudness"))
    #expect(Suggestion.text(for: "ldnes", among: words).isEmpty)
    #expect(Suggestion.text(for: "", among: words).isEmpty)
    #expect(Suggestion.text(for: "a", among: ["b"]).isEmpty)
  }
}
