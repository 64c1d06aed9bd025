// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Rendering

/// The delay that is removed, by what a tap states and what a test signal shows.
struct TapJudgementTests {
  private func used(
    _ rule: TapLatencyRule, states declared: Int, shows measured: Int?, onset: Int?,
    _ log: DiagnosticLog = DiagnosticLog()
  ) throws -> Int {
    var proof = TapProof()
    proof.declared = declared
    proof.used = declared
    proof.measured = measured
    return try TapJudgement(title: "a tap", rule: rule, log: log).settled(proof, onset: onset).used
  }

  /// One sample of difference is the tap's word; a filter that answers at once delays nothing, though the burst's weight
  /// lies later.
  @Test(
    "a plugin's stated delay is replaced by the measured one where the two differ",
    arguments: [
      (0, 1, 0, 0), (0, 9, 0, 0), (0, 9, 1, 0), (0, 9, 5, 9), (0, 16, 0, 16), (0, 239, 239, 239),
      (64, 239, 239, 239), (64, 72, 64, 64), (3, 0, 0, 0), (480, 481, 480, 480),
      (480, 100, 90, 100),
    ]) func aPluginIsCorrectedWhereItIsWrong(
      declared: Int, measured: Int, onset: Int, wanted: Int
    ) throws
  {
    for rule in [TapLatencyRule.reported, .found] {
      let log = DiagnosticLog()
      #expect(try used(rule, states: declared, shows: measured, onset: onset, log) == wanted)
      let isChanged = wanted != declared
      #expect(log.degradations.isEmpty == !(isChanged && rule == .reported))
      #expect(log.decisions.isEmpty == !(isChanged && rule == .found))
    }
  }

  @Test("a stated latency overrules the measured one") func theUserDecides() throws {
    let log = DiagnosticLog()
    #expect(try used(.pinned(7), states: 64, shows: 239, onset: 239, log) == 7)
    #expect(log.decisions.count == 1 && log.degradations.isEmpty)
    #expect(try used(.stated, states: 64, shows: 239, onset: 239, log) == 64)
    #expect(log.degradations.map(\.code) == [.tapLatency])
    #expect(try used(.shown, states: 64, shows: 9, onset: 0) == 9)
  }

  @Test("a delay that no signal shows is the tap's word, or refused")
  func whatNothingShowsIsTheTapsWordOrRefused() throws {
    let log = DiagnosticLog()
    #expect(try used(.reported, states: 64, shows: nil, onset: 0, log) == 64)
    #expect(log.decisions.count == 1)
    #expect(throws: MediaError.self) { try used(.shown, states: 64, shows: nil, onset: 0) }
    #expect(throws: MediaError.self) { try used(.declared, states: 64, shows: 239, onset: 239) }
  }
}
