import AudioCore
import Testing

@Suite struct DiagnosticLogTests {
  private let log = DiagnosticLog()

  @Test func degradationsAreKeptOnceInOrder() {
    log.degrade("b", "two")
    log.degrade("a", "one")
    log.degrade("b", "two")
    log.degrade("b", "three")
    #expect(
      log.degradations == [
        Diagnostic("b", "two"), Diagnostic("a", "one"), Diagnostic("b", "three"),
      ])
    #expect(log.decisions.isEmpty)
  }

  @Test func aKindIsWithdrawnWhole() {
    log.degrade("a", "one")
    log.degrade("b", "two")
    log.degrade("a", "three")
    log.withdraw("a")
    #expect(log.degradations == [Diagnostic("b", "two")])
    log.withdraw("c")
    #expect(log.degradations.count == 1)
    // What happens again is told again.
    log.degrade("a", "one")
    #expect(log.degradations.map(\.kind) == ["b", "a"])
  }

  @Test func decisionsAreKeptOnceInOrder() {
    log.decide("track", "2", why: "it is the default")
    log.decide("layout", "5.1", why: "the file says so")
    log.decide("track", "2", why: "it is the default")
    log.decide("track", "2", why: "it is the only one")
    #expect(log.decisions.map(\.what) == ["track", "layout", "track"])
    #expect(
      log.decisions.last == Decision(what: "track", chose: "2", why: "it is the only one"))
    log.withdraw("track")
    #expect(log.decisions.count == 3 && log.degradations.isEmpty)
  }
}
