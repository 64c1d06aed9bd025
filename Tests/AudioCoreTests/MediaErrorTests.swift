// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Parts of a failure and its exit code.
struct MediaErrorTests {
  @Test("the subject of an error begins its sentence") func itsSubjectBeginsTheSentence() {
    let error = MediaError(.damaged, about: "film.mkv", "ends too early; give an intact copy")
    #expect(error.subject == "film.mkv")
    #expect(error.message == "film.mkv: ends too early; give an intact copy")
    #expect(error.description == error.message)
  }

  @Test("an error without a subject has its sentence as message")
  func withoutASubjectTheSentenceStandsAlone() {
    let error = MediaError(.usage, "give a file")
    #expect(error.subject == nil)
    #expect(error.message == "give a file")
  }

  @Test("an error keeps its cause") func itKeepsItsCause() {
    let cause = MediaError(.diskFull, "no space")
    let error = MediaError(.outputUnwritable, about: "a.wav", "can't be written", cause: cause)
    #expect((error.cause as? MediaError)?.kind == .diskFull)
  }

  /// The contract of exit codes (docs/reference/exit-codes.md).
  @Test(
    "each kind of error has one of the documented exit codes", arguments: MediaError.Kind.allCases)
  func everyKindHasAnExitCode(_ kind: MediaError.Kind) {
    #expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 75, 130].contains(MediaError(kind, "x").exitCode))
  }
}
