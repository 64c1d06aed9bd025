// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// `GapFiller` without decoders, just inside and just outside of each of its limits.
@Suite struct GapFillerTests {
  private let rate = 48_000
  private let log = DiagnosticLog()

  private func clock(tolerance: Int64 = 16, frame: Int64 = 0, uncertainty: Int64 = 0)
    -> TimedSource
  { ScriptedSource([], tolerance: tolerance, frame: frame, uncertainty: uncertainty) }

  /// Changes and gaps that a filler finds for blocks of `frames` samples at these positions.
  private func answers(
    _ positions: [Int64?], _ clock: TimedSource? = nil, policy: GapPolicy = .fill,
    frames: Int = 1000, rate: Int = 48_000, bound: Int64? = nil
  ) -> (changes: [Int64], gaps: [TimelineGap], lead: Int64?) {
    var filler = GapFiller(policy: policy, rate: rate, bound: bound)
    var output: Int64 = 0
    let accuracy = ClockAccuracy(clock ?? self.clock())
    let blocks = positions.map { TimedBlock(frames: frames, position: $0) }
    let changes = blocks.indices.map { index -> Int64 in
      let change = filler.judge(blocks[index], clock: accuracy, output: output, log: log) { count in
        Array(blocks[(index + 1)...].prefix(count))
      }
      output += Int64(frames) + change
      return change
    }
    return (changes, filler.gaps, filler.clockLead)
  }

  /// `count` positions of blocks of `frames` samples that follow each other from `start` on.
  private func steady(_ count: Int, from start: Int64, frames: Int64 = 1000) -> [Int64?] {
    (0..<count).map { start + Int64($0) * frames }
  }

  @Test("a steady clock from any start needs no change", arguments: [0, 1000, -5000] as [Int64])
  func aSteadyClockNeedsNothing(start: Int64) {
    let result = answers([0, 1000, 2000, 3000].map { start + $0 })
    #expect(result.changes == [0, 0, 0, 0] && result.gaps.isEmpty && log.degradations.isEmpty)
  }

  @Test(
    "a deviation by the tolerance of 16 samples is no jump, and one by 17 is a gap or an overlap",
    arguments: [1, -1] as [Int64])
  func theToleranceIsNoJump(sign: Int64) {
    #expect(answers([0, 1000 + 16 * sign, 2000 + 16 * sign]).gaps.isEmpty)
    let beyond = answers(steady(2, from: 0) + steady(3, from: 2000 + 17 * sign))
    #expect(beyond.changes == [0, 0, 17 * sign, 0, 0] && beyond.lead == 0)
    #expect(beyond.gaps.map(\.kind) == [sign > 0 ? .gap : .overlap])
  }

  /// A loss shows at one step; a deviation that grows bit by bit is the clock's speed.
  @Test(
    "a clock that drifts by 20 or -20 samples over two blocks changes no sample, and is reported",
    arguments: [1, -1] as [Int64])
  func aClockThatDriftsChangesNothing(sign: Int64) {
    let result = answers([0, 1000 + 10 * sign] + steady(3, from: 2000 + 20 * sign))
    #expect(result.changes == [0, 0, 0, 0, 0] && result.gaps.isEmpty && result.lead == 20 * sign)
    #expect(log.decisions.map(\.chose) == ["clock-drift"] && log.degradations.isEmpty)
    #expect(log.decisions[0].why.contains(sign > 0 ? "faster" : "slower"))
  }

  /// Plain samples of a DVD: the clock loses one sample with each packet, and makes up for a whole packet at once.
  @Test(
    "a clock that loses a sample a block and jumps by a block changes no sample",
    arguments: [501, -251] as [Int64])
  func aSawToothChangesNothing(jump: Int64) {
    let positions = (0..<80).map { index -> Int64? in
      Int64(index) * 500 + (index < 10 ? 0 : jump)
    }
    let result = answers(
      positions, clock(tolerance: 249, frame: 501, uncertainty: 1), frames: 501)
    #expect(result.changes.allSatisfy { $0 == 0 } && result.gaps.isEmpty)
    #expect(log.decisions.map(\.chose) == ["clock-drift"])
  }

  /// More than one frame is more than such a clock has to correct.
  @Test("three frames that are missing under a clock that loses a sample a block are filled")
  func aLossUnderADriftingClockIsFilled() {
    let positions = (0..<80).map { index -> Int64? in
      Int64(index) * 500 + (index < 10 ? 0 : 3 * 501)
    }
    let result = answers(
      positions, clock(tolerance: 249, frame: 501, uncertainty: 16), frames: 501)
    #expect(result.gaps == [TimelineGap(kind: .gap, position: 5010, samples: 1503)])
  }

  @Test(
    "one block whose time is off by 448 or 40,000 samples, with the next in time again, changes nothing",
    arguments: [448, -448, 40_000, -40_000, 5_000_000] as [Int64])
  func oneBlocksJitterChangesNothing(off: Int64) {
    let positions = steady(60, from: 0) + [60_000 + off] + steady(5, from: 61_000)
    let result = answers(positions)
    #expect(result.changes.allSatisfy { $0 == 0 } && result.gaps.isEmpty)
    #expect(log.decisions.map(\.chose) == ["clock-jitter"] && log.degradations.isEmpty)
  }

  @Test(
    "a jump in the last block counts where it is whole frames, and otherwise nothing confirms it",
    arguments: [(1024, 1024), (2048, 2048), (1000, 0), (-1024, 0), (17, 0)] as [(Int64, Int64)])
  func theLastBlockIsConfirmedByNothing(jump: Int64, change: Int64) {
    let result = answers(steady(5, from: 0) + [5000 + jump], clock(frame: 1024))
    #expect(result.changes.last == change && result.lead == jump - change)
    #expect(log.decisions.map(\.chose) == (change == 0 ? ["clock-jitter"] : []))
  }

  @Test(
    "a jump that the stated length of 7000 samples can't hold isn't filled, and one that it holds is"
  )
  func theWholeLengthIsABound() {
    let positions = steady(2, from: 0) + steady(3, from: 4000)
    #expect(answers(positions, bound: 7000).changes == [0, 0, 2000, 0, 0])
    #expect(log.decisions.isEmpty)
    #expect(answers(positions, bound: 3999).changes == [0, 0, 0, 0, 0])
    #expect(log.decisions.map(\.chose) == ["clock-implausible"])
  }

  /// A jump that misses whole frames by as much as the clock errs is that many frames, and by one sample more isn't.
  @Test(
    "a jump within 96 samples of a frame is that frame, and one a sample further is taken as it is",
    arguments: [(1120, 1024), (928, 1024), (1121, 1121), (927, 927)] as [(Int, Int64)])
  func jumpsAreWholeFramesWithinTheClocksError(jump: Int, taken: Int64) {
    let clock = clock(frame: 1024, uncertainty: 96)
    #expect(answers([0] + steady(2, from: Int64(1000 + jump)), clock).changes == [0, taken, 0])
  }

  @Test("a jump forward by 500 samples is filled with silence and reported with its time")
  func lostSoundBecomesSilence() {
    let result = answers([0, 1500, 2500])
    #expect(result.changes == [0, 500, 0])
    #expect(result.gaps == [TimelineGap(kind: .gap, position: 1000, samples: 500)])
    #expect(log.degradations.map(\.code.rawValue) == ["timestamp-gap"])
    #expect(
      log.degradations[0].message
        == "timestamps jump forward by 500 samples at 00:00:00.021; filled with silence")
  }

  @Test("a jump back by 300 samples drops 300 samples")
  func whatIsRepeatedIsDropped() {
    let result = answers([100, 1100, 1800, 2800])
    #expect(result.changes == [0, 0, -300, 0])
    #expect(result.gaps == [TimelineGap(kind: .overlap, position: 2000, samples: 300)])
  }

  /// An overlap longer than its block is trimmed from the blocks after it, too.
  @Test("an overlap of 2500 samples is dropped from three blocks")
  func anOverlapMayOutlastItsBlock() {
    let result = answers([0, 1000, 2000, 3000, 1500, 2500, 3500, 4500])
    #expect(result.changes == [0, 0, 0, 0, -1000, -1000, -500, 0])
    #expect(result.gaps.map(\.samples) == [2500])
  }

  @Test("a jump forward by the rest of an overlap ends the dropping")
  func aJumpForwardTakesAnOverlapBack() {
    // The overlap has 20,000 samples. 17,500 are dropped before the clock jumps forward by 2500 again, later than the judge
    // of the overlap looks ahead.
    let result = answers(
      steady(60, from: 0, frames: 500) + steady(35, from: 10_000, frames: 500)
        + steady(40, from: 30_000, frames: 500), frames: 500)
    let unchanged = Array(repeating: Int64(0), count: 60)
    #expect(result.changes == unchanged + Array(repeating: -500, count: 35) + unchanged.prefix(40))
    #expect(result.gaps.map(\.kind) == [.overlap] && result.gaps.map(\.samples) == [20_000])
  }

  @Test("with jumps ignored no sample changes, and each jump is reported as left")
  func nothingIsChangedWhenJumpsAreIgnored() {
    let positions = [0] + steady(10, from: 1500) + steady(2, from: 11_400)
    let result = answers(positions, policy: .ignore)
    #expect(result.changes.allSatisfy { $0 == 0 })
    #expect(result.gaps.map(\.kind) == [.gap, .overlap])
    #expect(log.degradations.allSatisfy { $0.message.hasSuffix("left as it is") })
  }

  @Test("a jump of a minute is a gap, and one by a sample more is a discontinuity")
  func aMinuteIsTheLongestGap() {
    let minute = Int64(60 * rate)
    #expect(answers([0] + steady(2, from: 1000 + minute)).gaps.map(\.kind) == [.gap])
    let restart = answers([0] + steady(2, from: 1001 + minute))
    #expect(restart.changes == [0, 0, 0])
    #expect(restart.gaps.map(\.kind) == [.discontinuity])
  }

  @Test(
    "a jump back by half a second, or eight longer frames, is an overlap, and one by more a restart"
  )
  func halfASecondIsTheLongestOverlap() {
    let far = steady(61, from: 0)
    let kinds = { (back: Int64, clock: TimedSource?) in
      answers(far + steady(2, from: 61_000 - back), clock).gaps.map(\.kind)
    }
    #expect(kinds(24_000, nil) == [.overlap])
    #expect(kinds(24_001, nil) == [.discontinuity])
    #expect(answers(far + steady(2, from: 36_999)).changes.allSatisfy { $0 == 0 })
    // The limit is eight codec frames where these are longer than half a second.
    let framed = clock(frame: 4096)
    #expect(kinds(32_768, framed) == [.overlap])
    #expect(kinds(32_769, framed) == [.discontinuity])
  }

  /// At 11025 Hz half a second is 5512.5 samples.
  @Test(
    "at 11,025 Hz a jump back by 5512 samples is an overlap, and one by 5513 a restart",
    arguments: [(5512, false), (5513, true)])
  func halfASecondOfAnOddRate(
    back: Int64, isRestart: Bool
  ) {
    let result = answers(steady(20, from: 0) + steady(2, from: 20_000 - back), rate: 11_025)
    #expect(result.gaps.map(\.kind) == [isRestart ? .discontinuity : .overlap])
  }

  /// A jump back to the very beginning is a restart of the clock and not an overlap.
  @Test("a jump back to the beginning is a restart, and one to a sample after it an overlap")
  func backToTheBeginningIsARestart() {
    #expect(answers([500, 1500, 500]).gaps.map(\.kind) == [.discontinuity])
    #expect(answers([500, 1500, 501, 1501]).gaps.map(\.kind) == [.overlap])
    #expect(answers([500, 1500, 400]).gaps.map(\.kind) == [.discontinuity])
  }

  /// No sound is missing when a clock restarts and later returns to its old times.
  @Test(
    "a clock that restarts and comes back to its old times, or exactly to the line, inserts nothing"
  )
  func aClockThatComesBackIsARestartToo() {
    let steady = (0...59).map { Int64($0) * 1000 as Int64? }
    let back = answers(steady + [0, 1000, 60_000, 61_000])
    #expect(back.gaps.map(\.kind) == [.discontinuity, .discontinuity])
    #expect(back.changes.allSatisfy { $0 == 0 })
    let onward = answers(steady + [0, 1000, 62_000, 63_000])
    #expect(onward.gaps.isEmpty && onward.changes.allSatisfy { $0 == 0 })
    let elsewhere = answers(steady + [0, 1000, 62_017, 63_017])
    #expect(elsewhere.gaps.map(\.kind) == [.discontinuity, .gap])
  }

  @Test("a rounded jump is filled with whole frames of 1024, and one between frames as it is")
  func packetsAreLostWhole() {
    let coarse = clock(tolerance: 48, frame: 1024, uncertainty: 48)
    // A gap of 1000 samples by a clock of milliseconds is rounded; one frame of 1024 was lost.
    #expect(answers([0, 2000], coarse).changes == [0, 1024])
    #expect(answers([0] + steady(2, from: 1000 + 1024 + 49), coarse).changes == [0, 1073, 0])
    #expect(answers([0, 1000 + 3 * 1024 - 48], coarse).changes == [0, 3072])
    #expect(answers([0] + steady(2, from: 1600), coarse).changes == [0, 600, 0])
  }

  @Test(
    "a missing or absurd position changes nothing, and samples are counted on",
    arguments: [nil, Int64.max, .min, 1 << 60 + 1] as [Int64?])
  func whatSaysNothingIsCountedOn(position: Int64?) {
    let result = answers([0, position, 2000])
    #expect(result.changes == [0, 0, 0] && result.gaps.isEmpty)
    #expect(GapJudge.plausible(position) == nil)
    #expect(answers([position, 700, 1700]).gaps.isEmpty)
  }

  @Test("of 499 jumps 100 are listed, and one degradation stands for the rest")
  func aFloodOfJumpsIsOneFinding() {
    let result = answers((0..<500).map { Int64($0) * 1100 })
    #expect(result.gaps.count == 100)
    // Nothing confirms the last one.
    #expect(result.changes.dropFirst().dropLast().allSatisfy { $0 == 100 })
    #expect(log.degradations.count == 101)
    #expect(log.degradations.last?.message.contains("more than 100") == true)
  }
}
