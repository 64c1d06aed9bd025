// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// A source that leaves samples out keeps the places and the account of those that follow.
@Suite struct SkippedSamplesTests {
  /// Blocks of 100 samples with their times; ``skip(_:)`` leaves out whole blocks.
  private final class Skipping: TimedSource {
    let inner: ScriptedSource
    private(set) var asked: Int64 = 0

    init(_ count: Int) {
      inner = ScriptedSource(Trimmed.blocks(Array(repeating: 100, count: count)))
    }

    var programme: Programme { inner.programme }
    var timestampTolerance: Int64 { inner.timestampTolerance }
    var codecFrame: Int64 { inner.codecFrame }
    var clockUncertainty: Int64 { inner.clockUncertainty }

    func read(into block: ProgrammeBlock) throws -> TimedBlock? { try inner.read(into: block) }

    func skip(_ count: Int64) throws -> Int64 {
      asked = count
      let unread = ProgrammeBlock(programme)
      for _ in 0..<max(0, count / 100) { _ = try inner.read(into: unread) }
      return max(0, count / 100 * 100)
    }
  }

  private func trimmed(
    _ source: Skipping, priming: PrimingOption = .keep, gaps: GapPolicy = .fill
  ) throws -> TrimmedSource {
    try TrimmedSource(
      source: source, facts: Trimmed.facts(), priming: priming, gaps: gaps, log: DiagnosticLog())
  }

  @Test("samples behind skipped ones keep their place") func theRestKeepsItsPlace() throws {
    let source = Skipping(10)
    let trimmed = try trimmed(source)
    let range = RangeSource(source: trimmed, start: 650, end: 820)
    #expect(try range.skipToStart() == 600)
    // The first block has been read already.
    #expect(source.asked == 550)
    #expect(try Trimmed.drain(range) == Trimmed.ramp(651, 820))
    #expect(trimmed.summary.skipped == 600 && trimmed.summary.gaps.isEmpty)
  }

  @Test("samples skipped, trimmed and given add up to the whole") func theAccountHolds() throws {
    let trimmed = try trimmed(Skipping(10), priming: .samples(30))
    let range = RangeSource(source: trimmed, start: 650)
    #expect(try range.skipToStart() == 570)
    #expect(try Trimmed.drain(range) == Trimmed.ramp(681, 1000))
    let done = trimmed.summary
    #expect(done.skipped == 600 && done.decoded == 400 && done.startTrim == 30 && done.valid == 970)
  }

  @Test("a range with a positive lead skips as many samples fewer, and has its slice")
  func aLeadOfSilenceCounts() throws {
    let range = RangeSource(source: try trimmed(Skipping(10)), start: 650, end: 700, lead: 70)
    #expect(try range.skipToStart() == 500)
    #expect(try Trimmed.drain(range) == Trimmed.ramp(581, 630))
  }

  @Test("a range with a negative lead skips as many samples more, and has its slice")
  func samplesAreDroppedByANegativeLead() throws {
    let range = RangeSource(source: try trimmed(Skipping(10)), start: 650, end: 700, lead: -70)
    #expect(try range.skipToStart() == 700)
    #expect(try Trimmed.drain(range) == Trimmed.ramp(721, 770))
  }

  @Test("nothing is skipped with gaps ignored, after a first read, and for an early range")
  func nothingIsLeftOutWhereItWouldBeWrong() throws {
    #expect(try trimmed(Skipping(10), gaps: .ignore).skip(500) == 0)
    let begun = try trimmed(Skipping(10))
    _ = try begun.read(into: ProgrammeBlock(begun.programme))
    #expect(try begun.skip(500) == 0)
    let early = RangeSource(source: try trimmed(Skipping(10)), start: 50)
    #expect(try early.skipToStart() == 0)
    #expect(try Trimmed.drain(early) == Trimmed.ramp(51, 1000))
  }
}
