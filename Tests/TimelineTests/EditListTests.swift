import AudioCore
import Testing

@testable import Timeline

@Suite struct EditListTests {
  private func facts(
    _ edits: [(duration: Int64, media: Int64)], movie: Int64 = 48_000, media: Int64 = 48_000
  ) -> GaplessFacts {
    var facts = Trimmed.facts()
    facts.edits = edits.map { GaplessFacts.Edit(duration: $0.duration, mediaTime: $0.media) }
    facts.movieTimescale = movie
    facts.mediaTimescale = media
    return facts
  }

  private func trim(
    _ facts: GaplessFacts, _ blocks: [TimedBlock] = Trimmed.blocks([1024, 1024, 1024, 1024])
  ) throws -> Trimmed {
    try Trimmed(blocks, facts, priming: .automatic)
  }

  private func refusal(_ facts: GaplessFacts) -> MediaError.Kind? {
    do {
      _ = try trim(facts)
      return nil
    } catch { return (error as? MediaError)?.kind }
  }

  @Test func oneEditTrimsBothEnds() throws {
    let result = try trim(facts([(2000, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
    #expect(result.keepsLaw)
    #expect(result.summary.startTrim == 1024)
    #expect(result.summary.endTrim == 1072)
    #expect(result.summary.plan.primingSource == .editList)
    #expect(result.summary.plan.paddingSource == .editList)
    #expect(result.summary.plan.start == 0)
    #expect(result.kinds.isEmpty)
  }

  @Test func emptyEditsDelayTheStart() throws {
    let result = try trim(facts([(480, -1), (20, -1), (2000, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
    #expect(result.summary.plan.start == 500)
    #expect(result.keepsLaw)
  }

  @Test func durationZeroReachesToTheEnd() throws {
    let result = try trim(facts([(0, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 4096))
    #expect(result.summary.plan.validSamples == nil)
    #expect(result.keepsLaw)
  }

  @Test func aMediaClockOtherThanTheRateIsRescaled() throws {
    let result = try trim(facts([(1000, 512)], movie: 24_000, media: 24_000))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
  }

  /// 3000 samples are 62.5 ms, which a clock of 1 ms states as 62 or 63; the sample table is exact.
  @Test(arguments: [62, 63]) func theSampleTableBeatsACoarseMovieClock(duration: Int64) throws {
    var blocks = Trimmed.blocks([1024, 1024, 1024, 1024])
    blocks[3].declaredFrames = 1024 + 3000 - 3 * 1024
    let result = try trim(facts([(duration, 1024)], movie: 1000), blocks)
    #expect(result.samples == Trimmed.ramp(1025, 4024))
    #expect(result.keepsLaw)
    #expect(result.kinds.isEmpty)
  }

  @Test func aCoarseClockFarFromTheTableIsBelieved() throws {
    let result = try trim(facts([(40, 1024)], movie: 1000))
    #expect(result.samples == Trimmed.ramp(1025, 1024 + 1920))
    #expect(result.keepsLaw)
  }

  @Test func editsThatGoOnWithoutASeamAreJoined() throws {
    let result = try trim(facts([(1000, 1024), (500, 2024), (500, 2524)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
    #expect(result.keepsLaw)
  }

  /// The durations of ten edits are rounded to milliseconds, but their starts are exact.
  @Test func roundingOfManySeamlessEditsDoesNotAddUp() throws {
    // Nine edits of 290 samples (6.04 ms), stated as 6 ms, and a last one of 7 ms.
    var edits: [(duration: Int64, media: Int64)] = []
    for index in 0..<10 as Range<Int64> { edits.append((index < 9 ? 6 : 7, 1024 + index * 290)) }
    let result = try trim(facts(edits, movie: 1000))
    let length: Int64 = 9 * 290 + 336
    #expect(result.summary.plan.validSamples == length)
    #expect(result.samples.count == Int(length))
  }

  @Test func editsThatJumpAreRefused() {
    #expect(refusal(facts([(1000, 1024), (500, 3000)])) == .unsupportedFeature)
    #expect(refusal(facts([(1000, 1024), (500, 0)])) == .unsupportedFeature)
  }

  @Test func editsAfterAnOpenEndOrAPauseAreRefused() {
    #expect(refusal(facts([(0, 1024), (500, 3000)])) == .unsupportedFeature)
    #expect(refusal(facts([(500, 1024), (100, -1), (500, 1524)])) == .unsupportedFeature)
  }

  @Test func anEmptyEditAtTheEndChangesNothing() throws {
    let result = try trim(facts([(2000, 1024), (100, -1)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
  }

  @Test func negativeMediaTimeIsIgnoredAndReported() throws {
    let result = try trim(facts([(2000, -1024)]))
    #expect(result.kinds == ["edit-list-ignored"])
    #expect(result.summary.plan.primingSource == .codecTable)
    #expect(result.samples == Trimmed.ramp(1025, 4096))
  }

  @Test func aListWithoutMediaIsIgnoredAndReported() throws {
    let result = try trim(facts([(2000, -1)]))
    #expect(result.kinds == ["edit-list-ignored"])
    #expect(result.samples == Trimmed.ramp(1025, 4096))
  }

  @Test func absurdTimesAreIgnoredAndReported() throws {
    let lists: [[(duration: Int64, media: Int64)]] = [
      [(.max, -1), (.max, -1), (100, 0)], [(.max, 0), (.max, 5)], [(100, .max)],
      [(.max, .max), (.max, .max)], [(.min, 0)],
    ]
    for list in lists {
      let result = try trim(facts(list))
      #expect(result.kinds == ["edit-list-ignored"])
      #expect(result.keepsLaw)
    }
    #expect(throws: Never.self) { try trim(facts([(5, 0)], movie: .max, media: .max)) }
  }

  @Test func anEditPastTheEndIsAnError() {
    #expect(refusal(facts([(2000, 5000)])) == .inputUnreadable)
  }

  @Test func aDurationBeyondTheEndIsReportedAsTruncated() throws {
    let result = try trim(facts([(9000, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 4096))
    #expect(result.kinds == ["truncated"])
    #expect(result.keepsLaw)
  }

  @Test func aFirstSampleAfterTheEditsStartIsHeardLate() throws {
    let result = try trim(facts([(3000, 0)]), Trimmed.blocks([1024, 1024, 1024], start: 500))
    #expect(result.summary.plan.start == 500)
    #expect(result.samples == Trimmed.ramp(1, 2500))
  }
}
