// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

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

  @Test("one edit trims 1024 samples at the start and 1072 at the end")
  func oneEditTrimsBothEnds() throws {
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

  /// A clock that runs at another speed than the codec's count runs so in the edit list and in the sample table, too.
  @Test(
    "an edit list and a sample table of a clock 20 or -20 samples off end at the same sample",
    arguments: [20, -20] as [Int64])
  func theEndIsMeasuredByTheClock(lead: Int64) throws {
    var facts = facts([])
    facts.mediaDuration = 7970 + lead
    let blocks = (0..<8).map { index in
      TimedBlock(frames: 1000, position: Int64(index) * 1000 + min(Int64(index), 2) * lead / 2)
    }
    // The edit ends with the table, blocks before it, or isn't there.
    for length in [6970, 3970, nil] as [Int64?] {
      facts.edits = length.map { [GaplessFacts.Edit(duration: $0 + lead, mediaTime: 1000)] } ?? []
      let result = try Trimmed(blocks, facts, priming: length == nil ? .keep : .automatic)
      let end = length.map { 1000 + $0 } ?? 7970
      #expect(result.samples == Trimmed.ramp(length == nil ? 1 : 1001, Int(end)))
      #expect(result.kinds.isEmpty && result.decisions.map(\.chose) == ["clock-drift"])
      #expect(result.keepsLaw && result.summary.clockLead == lead)
    }
  }

  @Test("two empty edits delay the start by their 500 samples")
  func emptyEditsDelayTheStart() throws {
    let result = try trim(facts([(480, -1), (20, -1), (2000, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
    #expect(result.summary.plan.start == 500)
    #expect(result.keepsLaw)
  }

  @Test("an edit of duration 0 reaches to the end")
  func durationZeroReachesToTheEnd() throws {
    let result = try trim(facts([(0, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 4096))
    #expect(result.summary.plan.validSamples == nil)
    #expect(result.keepsLaw)
  }

  @Test("an edit in clocks of 24 kHz is converted to samples at 48 kHz")
  func aMediaClockOtherThanTheRateIsRescaled() throws {
    let result = try trim(facts([(1000, 512)], movie: 24_000, media: 24_000))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
  }

  /// 3000 samples are 62.5 ms, which a clock of 1 ms states as 62 or 63; the sample table is exact.
  @Test(
    "an edit of 62 or 63 ms ends with the 3000 samples of the sample table", arguments: [62, 63])
  func theSampleTableBeatsACoarseMovieClock(duration: Int64) throws {
    var blocks = Trimmed.blocks([1024, 1024, 1024, 1024])
    blocks[3].declaredFrames = 1024 + 3000 - 3 * 1024
    let result = try trim(facts([(duration, 1024)], movie: 1000), blocks)
    #expect(result.samples == Trimmed.ramp(1025, 4024))
    #expect(result.keepsLaw)
    #expect(result.kinds.isEmpty)
  }

  @Test("an edit of 40 ms, far from the sample table, has its own length")
  func aCoarseClockFarFromTheTableIsBelieved() throws {
    let result = try trim(facts([(40, 1024)], movie: 1000))
    #expect(result.samples == Trimmed.ramp(1025, 1024 + 1920))
    #expect(result.keepsLaw)
  }

  @Test("edits that continue each other without a seam are joined")
  func editsThatGoOnWithoutASeamAreJoined() throws {
    let result = try trim(facts([(1000, 1024), (500, 2024), (500, 2524)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
    #expect(result.keepsLaw)
  }

  /// The durations of ten edits are rounded to milliseconds, but their starts are exact.
  @Test("ten seamless edits in rounded milliseconds have their exact length together")
  func roundingOfManySeamlessEditsDoesNotAddUp() throws {
    // Nine edits of 290 samples (6.04 ms), stated as 6 ms, and a last one of 7 ms.
    var edits: [(duration: Int64, media: Int64)] = []
    for index in 0..<10 as Range<Int64> { edits.append((index < 9 ? 6 : 7, 1024 + index * 290)) }
    let result = try trim(facts(edits, movie: 1000))
    let length: Int64 = 9 * 290 + 336
    #expect(result.summary.plan.validSamples == length)
    #expect(result.samples.count == Int(length))
  }

  @Test("edits that jump forward or back are refused as unsupported")
  func editsThatJumpAreRefused() {
    #expect(refusal(facts([(1000, 1024), (500, 3000)])) == .unsupportedFeature)
    #expect(refusal(facts([(1000, 1024), (500, 0)])) == .unsupportedFeature)
  }

  @Test("an edit after an open end or a pause is refused as unsupported")
  func editsAfterAnOpenEndOrAPauseAreRefused() {
    #expect(refusal(facts([(0, 1024), (500, 3000)])) == .unsupportedFeature)
    #expect(refusal(facts([(500, 1024), (100, -1), (500, 1524)])) == .unsupportedFeature)
  }

  @Test("an empty edit at the end changes nothing")
  func anEmptyEditAtTheEndChangesNothing() throws {
    let result = try trim(facts([(2000, 1024), (100, -1)]))
    #expect(result.samples == Trimmed.ramp(1025, 3024))
  }

  @Test("an edit with a negative media time is reported, and the codec's start-up is trimmed")
  func negativeMediaTimeIsIgnoredAndReported() throws {
    let result = try trim(facts([(2000, -1024)]))
    #expect(result.kinds == ["edit-list-ignored"])
    #expect(result.summary.plan.primingSource == .codecTable)
    #expect(result.samples == Trimmed.ramp(1025, 4096))
  }

  @Test("an edit list without media is reported and ignored")
  func aListWithoutMediaIsIgnoredAndReported() throws {
    let result = try trim(facts([(2000, -1)]))
    #expect(result.kinds == ["edit-list-ignored"])
    #expect(result.samples == Trimmed.ramp(1025, 4096))
  }

  @Test("edits with the largest or smallest numbers are reported and ignored")
  func absurdTimesAreIgnoredAndReported() throws {
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

  @Test("an edit that starts past the end is refused as unreadable")
  func anEditPastTheEndIsAnError() {
    #expect(refusal(facts([(2000, 5000)])) == .inputUnreadable)
  }

  @Test("an edit that is longer than the track is reported as truncated")
  func aDurationBeyondTheEndIsReportedAsTruncated() throws {
    let result = try trim(facts([(9000, 1024)]))
    #expect(result.samples == Trimmed.ramp(1025, 4096))
    #expect(result.kinds == ["truncated"])
    #expect(result.keepsLaw)
  }

  @Test(
    "a first sample 500 samples after the edit's start is heard that late, up to the edit's end")
  func aFirstSampleAfterTheEditsStartIsHeardLate() throws {
    let result = try trim(facts([(3000, 0)]), Trimmed.blocks([1024, 1024, 1024], start: 500))
    #expect(result.summary.plan.start == 500)
    #expect(result.samples == Trimmed.ramp(1, 2500))
  }
}
