// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaIn

@Suite struct RangeSourceTests {
  private func source(_ sizes: [Int] = [100, 100, 100]) throws -> TrimmedSource {
    try TrimmedSource(
      source: ScriptedSource(Trimmed.blocks(sizes)), facts: Trimmed.facts(), priming: .keep,
      log: DiagnosticLog())
  }

  private func cut(start: Int64 = 0, end: Int64? = nil, lead: Int64 = 0) throws -> [Float] {
    try Trimmed.drain(RangeSource(source: source(), start: start, end: end, lead: lead))
  }

  private func zeros(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

  @Test("a range has exactly the samples of its slice") func slicesAreExact() throws {
    #expect(try cut(start: 50, end: 250) == Trimmed.ramp(51, 250))
    #expect(try cut(start: 100, end: 200) == Trimmed.ramp(101, 200))
    #expect(try cut(start: 120, end: 130) == Trimmed.ramp(121, 130))
    #expect(try cut(start: 299) == [300])
    #expect(try cut() == Trimmed.ramp(1, 300))
  }

  @Test("a range beyond the end gives the samples that are there")
  func rangesBeyondTheEndGiveWhatIsThere() throws {
    #expect(try cut(start: 250, end: 900) == Trimmed.ramp(251, 300))
    #expect(try cut(start: 300).isEmpty)
    #expect(try cut(start: 5000, end: 6000).isEmpty)
  }

  @Test("a positive lead is silence before the first sample")
  func aPositiveLeadIsSilenceBefore() throws {
    #expect(try cut(lead: 70) == zeros(70) + Trimmed.ramp(1, 300))
    #expect(try cut(start: 50, end: 150, lead: 70) == zeros(20) + Trimmed.ramp(1, 80))
    #expect(try cut(start: 10, end: 30, lead: 70) == zeros(20))
    #expect(try cut(start: 100, end: 130, lead: 70) == Trimmed.ramp(31, 60))
  }

  @Test("a lead of 150,000 samples is complete")
  func aLongLeadIsComplete() throws {
    #expect(try cut(end: 150_010, lead: 150_000) == zeros(150_000) + Trimmed.ramp(1, 10))
  }

  @Test("a negative lead drops samples of the start")
  func aNegativeLeadDropsSamples() throws {
    #expect(try cut(lead: -70) == Trimmed.ramp(71, 300))
    #expect(try cut(start: 50, end: 150, lead: -70) == Trimmed.ramp(121, 220))
  }

  @Test("random ranges and leads give their slices for random block sizes")
  func slicesOfManyBlockSizesAgree() throws {
    var noise = SeededNoise(seed: 7)
    for _ in 0..<200 {
      var sizes: [Int] = []
      while sizes.reduce(0, +) < 400 { sizes.append(Int.random(in: 1...90, using: &noise)) }
      let start = Int64.random(in: 0...300, using: &noise)
      let end = start + Int64.random(in: 1...100, using: &noise)
      let lead = Int64.random(in: -100...100, using: &noise)
      let all = zeros(Int(max(0, lead))) + Trimmed.ramp(1 + Int(max(0, -lead)), sizes.reduce(0, +))
      let expected = Array(all.prefix(Int(end)).dropFirst(Int(start)))
      let range = RangeSource(source: try source(sizes), start: start, end: end, lead: lead)
      #expect(try Trimmed.drain(range) == expected)
    }
  }
}
