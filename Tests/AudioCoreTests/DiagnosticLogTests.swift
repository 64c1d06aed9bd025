// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct DiagnosticLogTests {
  private let log = DiagnosticLog()

  @Test("degradations are kept once each in their order")
  func degradationsAreKeptOnceInOrder() {
    log.degrade(.truncated, "two")
    log.degrade(.clipped, "one")
    log.degrade(.truncated, "two")
    log.degrade(.truncated, "three")
    #expect(
      log.degradations == [
        Diagnostic(.truncated, "two"), Diagnostic(.clipped, "one"), Diagnostic(.truncated, "three"),
      ])
    #expect(log.decisions.isEmpty)
  }

  @Test("a withdrawn degradation is gone with all its messages until it occurs again")
  func aKindIsWithdrawnWhole() {
    log.degrade(.clipped, "one")
    log.degrade(.truncated, "two")
    log.degrade(.clipped, "three")
    log.withdraw(.clipped)
    #expect(log.degradations == [Diagnostic(.truncated, "two")])
    log.withdraw(.silent)
    #expect(log.degradations.count == 1)
    // A withdrawn degradation is recorded again when it occurs again.
    log.degrade(.clipped, "one")
    #expect(log.degradations.map(\.code.rawValue) == ["truncated", "clipped"])
  }

  @Test("decisions are kept once each in their order, and withdrawing leaves them")
  func decisionsAreKeptOnceInOrder() {
    log.decide(.track, "2", why: "it is the default")
    log.decide(.layout, "5.1", why: "the file says so")
    log.decide(.track, "2", why: "it is the default")
    log.decide(.track, "2", why: "it is the only one")
    #expect(log.decisions.map(\.code.rawValue) == ["track", "layout", "track"])
    #expect(
      log.decisions.last == Decision(.track, chose: "2", why: "it is the only one"))
    log.withdraw(.clipped)
    #expect(log.decisions.count == 3 && log.degradations.isEmpty)
  }

  @Test("logs of two outputs share one list and withdraw their own degradations only")
  func subjectsShareOneListAndTakeBackTheirOwn() {
    let (first, second) = (log.about(.output(0)), log.about(.output(1)))
    first.degrade(.limited, "the limiter worked")
    second.degrade(.limited, "the limiter worked")
    #expect(log.degradations.map(\.subject) == [.output(0), .output(1)])
    #expect(first.holds(.limited) && second.holds(.limited) && !log.holds(.limited))
    first.withdraw(.limited)
    #expect(log.degradations.map(\.subject) == [.output(1)])
  }

  @Test(
    "a subject is read back from its description",
    arguments: [DiagnosticSubject.run, .input(0), .output(12)])
  func subjectsAreReadAsTheyAreWritten(subject: DiagnosticSubject) {
    #expect(DiagnosticSubject(subject.description) == subject)
  }

  @Test(
    "texts of another form are no subject",
    arguments: ["", "output", "output:", "output:-1", "input:x", "run:1"])
  func otherTextsAreNoSubject(text: String) {
    #expect(DiagnosticSubject(text) == nil)
  }

  @Test("each code of degradations and decisions has a sentence of its own")
  func everyCodeHasASentence() {
    let sentences = DegradationCode.allCases.map(\.sentence) + DecisionCode.allCases.map(\.sentence)
    #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.count > 12 })
    #expect(Set(sentences).count == sentences.count)
  }
}
