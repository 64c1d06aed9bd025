// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

@Suite struct GapTests {
  private func trim(
    _ rows: [(frames: Int, position: Int64?)], gaps: GapPolicy = .fill
  ) throws -> Trimmed {
    try Trimmed(rows.map { TimedBlock(frames: $0.frames, position: $0.position) }, gaps: gaps)
  }

  private func zeros(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

  @Test("a jump forward by 50 samples becomes 50 samples of silence between the blocks")
  func aJumpForwardBecomesSilence() throws {
    let result = try trim([(100, 0), (100, 100), (100, 250), (100, 350)])
    #expect(result.samples == Trimmed.ramp(1, 200) + zeros(50) + Trimmed.ramp(201, 400))
    #expect(
      result.summary.gaps == [TimelineGap(kind: .gap, position: 200, samples: 50)])
    #expect(result.kinds == ["timestamp-gap"])
    #expect(result.keepsLaw)
  }

  @Test("an overlap of 40 samples is trimmed from the later block")
  func anOverlapIsTrimmedFromTheLaterBlock() throws {
    let result = try trim([(100, 0), (100, 100), (100, 160), (100, 260)])
    #expect(result.samples == Trimmed.ramp(1, 200) + Trimmed.ramp(241, 400))
    #expect(
      result.summary.gaps == [TimelineGap(kind: .overlap, position: 200, samples: 40)])
    #expect(result.keepsLaw)
  }

  @Test("an overlap longer than a block drops it and trims the blocks after it")
  func anOverlapLongerThanABlockDropsItAll() throws {
    let rows: [(Int, Int64?)] = [(1000, 0), (100, 750), (100, 850), (100, 950), (100, 1050)]
    let result = try trim(rows)
    #expect(result.samples == Trimmed.ramp(1, 1000) + Trimmed.ramp(1251, 1400))
    #expect(result.summary.gaps == [TimelineGap(kind: .overlap, position: 1000, samples: 250)])
    #expect(result.keepsLaw)
  }

  @Test("a stray block from the past is dropped, and later blocks follow without a gap")
  func aStrayBlockFromThePastLeavesNoTrace() throws {
    let result = try trim([(1000, 0), (100, 300), (100, 1000), (100, 1100)])
    #expect(result.samples == Trimmed.ramp(1, 1000) + Trimmed.ramp(1101, 1300))
    #expect(result.keepsLaw)
  }

  @Test("a jump forward beyond an overlap leaves a gap of the other 150 samples")
  func aJumpForwardBeyondWhatAnOverlapOwesIsAGapOfTheRest() throws {
    // Of the overlap of 2000 samples 1000 are dropped before the clock jumps forward.
    let repeated = (0..<10).map { (frames: 100, position: Int64(8000 + 100 * $0) as Int64?) }
    let result = try trim([(10_000, 0)] + repeated + [(100, 10_150), (100, 10_250)])
    #expect(
      result.samples == Trimmed.ramp(1, 10_000) + zeros(150) + Trimmed.ramp(11_001, 11_200))
    #expect(result.summary.gaps.last == TimelineGap(kind: .gap, position: 10_000, samples: 150))
  }

  @Test("a block without a time stamp goes on with the overlap before it")
  func unknownTimestampsGoOnDroppingAnOverlap() throws {
    let result = try trim([(1000, 0), (100, 850), (100, nil), (100, 1050)])
    #expect(result.samples == Trimmed.ramp(1, 1000) + Trimmed.ramp(1151, 1300))
  }

  @Test(
    "a jump of 61 s forward or back restarts the clock, and no sample changes",
    arguments: [61, -61])
  func aJumpOfMoreThanAMinuteRestartsTheClock(seconds: Int64) throws {
    let far = 100_000_000 + seconds * 48_000
    let rows: [(Int, Int64?)] = [(100, 99_999_900), (100, far), (100, far + 100)]
    let result = try trim(rows)
    #expect(result.samples == Trimmed.ramp(1, 300))
    #expect(result.summary.gaps.map(\.kind) == [.discontinuity])
    let size: Int64 = 61 * 48_000
    #expect(result.summary.gaps.first?.samples == size)
  }

  /// In two recordings that are joined end to end, the clock starts again with the second.
  @Test(
    "a clock that starts again with a second recording loses no sample",
    arguments: [0, 20, 100_000], [1, 40])
  func aClockThatStartsAgainLosesNothing(
    shift: Int64, blocks: Int
  ) throws {
    let first = Trimmed.blocks(Array(repeating: 1000, count: blocks), start: 64_000 + shift)
    let second = Trimmed.blocks(Array(repeating: 1000, count: 60), start: 64_000)
    let result = try trim((first + second).map { ($0.frames, $0.position) })
    #expect(result.samples == Trimmed.ramp(1, (blocks + 60) * 1000))
    #expect(result.summary.gaps.map(\.kind) == [.discontinuity])
    #expect(result.kinds == ["timestamp-gap"])
  }

  @Test("a jump back by more than half a second restarts the clock, and a later gap is filled")
  func aJumpBackByMoreThanHalfASecondRestartsTheClock() throws {
    let rows: [(Int, Int64?)] = [
      (100_000, 0), (1000, 75_000), (1000, 76_000), (1000, 77_500), (1000, 78_500),
    ]
    let result = try trim(rows)
    #expect(
      result.samples == Trimmed.ramp(1, 102_000) + zeros(500) + Trimmed.ramp(102_001, 104_000))
    #expect(result.summary.gaps.map(\.kind) == [.discontinuity, .gap])
  }

  /// A jump back from a stray time means no loss; silence there would shift the sound after it.
  @Test("a clock that comes back from stray times inserts no silence")
  func aClockThatComesBackFromARestartInsertsNothing() throws {
    let rows: [(Int, Int64?)] = [
      (100_000, 0), (1000, 10_000), (1000, 101_000), (1000, 102_000), (1000, 13_000),
      (1000, 103_000),
    ]
    let result = try trim(rows)
    #expect(result.samples == Trimmed.ramp(1, 105_000))
    #expect(Set(result.summary.gaps.map(\.kind)) == [.discontinuity])
  }

  @Test("a time stamp 16 samples off is no gap", arguments: [16, -16])
  func deviationsWithinTheToleranceAreNoGap(shift: Int64) throws {
    let result = try trim([(100, 0), (100, 100 + shift), (100, 200)])
    #expect(result.samples == Trimmed.ramp(1, 300))
    #expect(result.summary.gaps.isEmpty)
    #expect(result.kinds.isEmpty)
  }

  @Test("a time stamp 17 samples off is filled or trimmed", arguments: [17, -17])
  func deviationsJustBeyondTheToleranceAre(shift: Int64) throws {
    let result = try trim([(100, 0), (100, 100 + shift), (100, 200 + shift)])
    #expect(result.samples.count == 300 + Int(shift))
    #expect(result.summary.gaps.count == 1)
  }

  /// A tick has 48 samples. The jump is 2080 samples by the clock, but only whole frames can be lost: two
  /// frames of 1024.
  @Test("a jump of 2080 samples on a coarse clock is filled with two frames of 1024")
  func aLossOfWholeFramesIsFilledToTheSampleOnACoarseClock() throws {
    let rows: [Int64] = [0, 1008, 2064, 5136, 6144]
    let blocks = rows.map { TimedBlock(frames: 1024, position: $0) }
    let result = try Trimmed(blocks, tolerance: 511, frame: 1024, uncertainty: 96)
    #expect(result.samples == Trimmed.ramp(1, 3072) + zeros(2048) + Trimmed.ramp(3073, 5120))
    #expect(result.summary.gaps == [TimelineGap(kind: .gap, position: 3072, samples: 2048)])
  }

  @Test("a jump of 1500 samples, which is no number of frames, is a gap of 1500")
  func aJumpThatIsNoNumberOfFramesIsTakenAsItIs() throws {
    let rows: [Int64] = [0, 1024, 3548, 4572]
    let blocks = rows.map { TimedBlock(frames: 1024, position: $0) }
    let result = try Trimmed(blocks, tolerance: 511, frame: 1024, uncertainty: 96)
    #expect(result.summary.gaps == [TimelineGap(kind: .gap, position: 2048, samples: 1500)])
  }

  @Test("with gaps ignored the blocks are joined as they are, and each jump is reported")
  func theIgnorePolicyJoinsAndReports() throws {
    let onward = (0..<10).map { (frames: 100, position: Int64(500 + 100 * $0) as Int64?) }
    let result = try trim([(100, 0)] + onward + [(100, 1350), (100, 1450)], gaps: .ignore)
    #expect(result.samples == Trimmed.ramp(1, 1300))
    #expect(result.summary.gaps.map(\.kind) == [.gap, .overlap])
    #expect(result.kinds == ["timestamp-gap", "timestamp-gap"])
  }

  @Test("of 249 jumps all but the last are filled, and 100 of them listed")
  func aFloodOfJumpsIsListedUpToAHundred() throws {
    let rows = (0..<250).map { (frames: 100, position: Int64($0) * 150 as Int64?) }
    let result = try trim(rows)
    #expect(result.samples.count == 250 * 100 + 248 * 50)
    #expect(result.summary.gaps.count == 100)
    #expect(result.kinds.count == 101)
    #expect(result.keepsLaw)
  }

  @Test("a missing first time stamp is no gap")
  func aMissingFirstTimestampIsNoGap() throws {
    let result = try trim([(100, nil), (100, 90_100), (100, 90_200)])
    #expect(result.samples == Trimmed.ramp(1, 300))
    #expect(result.summary.gaps.isEmpty)
  }

  @Test("time stamps of the smallest and largest number count as unknown, and no sample is lost")
  func garbageTimestampsAreUnknown() throws {
    let result = try trim([(100, .min), (100, .max), (100, .min), (100, 400), (100, 500)])
    #expect(result.samples == Trimmed.ramp(1, 500))
    #expect(result.keepsLaw)
  }

  @Test("a start-up of 120 samples includes the silence of a gap within it")
  func gapsInsideTheStartUpAreTrimmedToo() throws {
    let rows: [(Int, Int64?)] = [(100, 0), (100, 150), (100, 250)]
    let blocks = rows.map { TimedBlock(frames: $0.0, position: $0.1) }
    let result = try Trimmed(blocks, priming: .samples(120))
    #expect(result.samples == zeros(30) + Trimmed.ramp(101, 300))
    #expect(result.summary.startTrim == 120)
    #expect(result.keepsLaw)
  }
}
