// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// Consequences of packets that can't be decoded, without files.
@Suite struct DamageLedgerTests {
  private let log = DiagnosticLog()

  private func ledger(_ policy: DamagePolicy) -> DamageLedger {
    DamageLedger(policy: policy, path: "a.aac", log: log)
  }

  private func damage(_ ledger: inout DamageLedger, _ count: Int, at position: Int64? = nil) {
    for index in 0..<count {
      ledger.note(
        "broken", packet: index, time: nil, samples: 1024, span: 1024,
        position: position.map { $0 + Int64(index) * 1024 })
    }
  }

  /// Up to 50 packets are a start that was cut.
  @Test("up to 50 lost packets at the start are a cut start", arguments: [1, 50, 51])
  func aCutStartIsShort(packets: Int) throws {
    var ledger = ledger(.fail)
    damage(&ledger, packets)
    if packets > 50 {
      #expect(throws: MediaError.self) { try ledger.good() }
    } else {
      try ledger.good()
      #expect(log.degradations.map(\.code) == [.damagedStart])
    }
  }

  /// A track of which nothing can be decoded is damaged, and one without any packets has no sound.
  @Test(
    "a track whose packets are all damaged is refused as such, and one without packets as unreadable",
    arguments: [0, 1, 60])
  func aTrackThatGivesNothingIsRefused(packets: Int) {
    var ledger = ledger(.conceal)
    damage(&ledger, packets)
    let error = #expect(throws: MediaError.self) { try ledger.close() }
    #expect(error?.kind == (packets > 0 ? .damaged : .inputUnreadable))
  }

  /// The end is judged by what was lost itself, also where the container states no length.
  @Test(
    "46 lost frames at the end are reported as truncated, and 47, over a second at 48 kHz, are an error",
    arguments: [46, 47])
  func aLongRestIsNoEnd(packets: Int) throws {
    var ledger = ledger(.fail)
    try ledger.good()
    damage(&ledger, packets)
    // 46 frames of 1024 samples are less than a second of 48 kHz, 47 are more.
    if packets == 46 {
      try ledger.close(missing: 0, longestEnd: 48_000)
      #expect(log.degradations.map(\.code) == [.truncated])
    } else {
      #expect(throws: MediaError.self) { try ledger.close(missing: 0, longestEnd: 48_000) }
    }
  }

  /// Silence that is taken in parts stands where the lost packets were.
  @Test("silence for 70 lost packets, taken in two parts, goes on where the first part ended")
  func owedSilenceGoesOnWhereItEnded() throws {
    var ledger = ledger(.conceal)
    try ledger.good()
    damage(&ledger, 70, at: 5000)
    #expect(ledger.pendingSilence == 71_680 && ledger.silencePosition == 5000)
    #expect(ledger.takeSilence(atMost: 65_536) == 65_536)
    #expect(ledger.pendingSilence == 6144 && ledger.silencePosition == 5000 + 65_536)
    #expect(ledger.takeSilence(atMost: 65_536) == 6144)
    #expect(ledger.pendingSilence == 0 && ledger.silencePosition == nil)
    try ledger.good()
    try ledger.close()
    #expect(log.degradations.map(\.code) == [.decodeErrors, .decodeErrors])
  }
}
