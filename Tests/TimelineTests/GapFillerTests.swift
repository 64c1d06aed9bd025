import AudioCore
import Testing

@testable import Timeline

/// `GapFiller` without decoders, just inside and just outside of each of its limits.
@Suite struct GapFillerTests {
  private let rate = 48_000
  private let log = DiagnosticLog()

  private func clock(tolerance: Int64 = 16, frame: Int64 = 0, uncertainty: Int64 = 0)
    -> TimedSource
  { ScriptedSource([], tolerance: tolerance, frame: frame, uncertainty: uncertainty) }

  /// Changes and gaps that a filler finds for blocks of 1000 samples at these positions.
  private func answers(
    _ positions: [Int64?], _ clock: TimedSource? = nil, policy: GapPolicy = .fill,
    frames: Int = 1000
  ) -> (changes: [Int64], gaps: [TimelineGap]) {
    var filler = GapFiller(policy: policy, rate: rate)
    var output: Int64 = 0
    let clock = clock ?? self.clock()
    let changes = positions.map { position -> Int64 in
      let change = filler.judge(
        frames: frames, position: position, clock: ClockAccuracy(clock), output: output, log: log)
      output += Int64(frames) + change
      return change
    }
    return (changes, filler.gaps)
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
    #expect(answers([0, 1000 + 16 * sign]).gaps.isEmpty)
    let beyond = answers([0, 5000, 6000 + 17 * sign])
    #expect(beyond.changes[2] == 17 * sign)
    #expect(beyond.gaps.last?.kind == (sign > 0 ? .gap : .overlap))
  }

  /// Small deviations don't add up: each is measured against the samples counted.
  @Test("a clock that drifts by 20 samples is corrected once")
  func aClockThatDriftsIsCorrectedOnce() {
    let result = answers([0, 1010, 2020, 3020, 4020])
    #expect(result.changes == [0, 0, 20, 0, 0])
    #expect(result.gaps == [TimelineGap(kind: .gap, position: 2000, samples: 20)])
  }

  /// A jump that misses whole frames by as much as the clock errs is that many frames, and by one sample more isn't.
  @Test(
    "a jump within 96 samples of a frame is that frame, and one a sample further is taken as it is",
    arguments: [(1120, 1024), (928, 1024), (1121, 1121), (927, 927)] as [(Int, Int64)])
  func jumpsAreWholeFramesWithinTheClocksError(jump: Int, taken: Int64) {
    let clock = clock(frame: 1024, uncertainty: 96)
    #expect(answers([0, Int64(1000 + jump)], clock).changes == [0, taken])
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
    // The overlap has 2500 samples. 1000 are dropped before the clock jumps forward by 1500 again.
    let result = answers([0, 1000, 2000, 3000, 1500, 4000, 5000])
    #expect(result.changes.suffix(3) == [-1000, 0, 0])
    #expect(result.gaps.map(\.kind) == [.overlap])
  }

  @Test("with jumps ignored no sample changes, and each jump is reported as left")
  func nothingIsChangedWhenJumpsAreIgnored() {
    let result = answers([0, 1500, 2400, 3400], policy: .ignore)
    #expect(result.changes == [0, 0, 0, 0])
    #expect(result.gaps.map(\.kind) == [.gap, .overlap])
    #expect(log.degradations.allSatisfy { $0.message.hasSuffix("left as it is") })
  }

  @Test("a jump of a minute is a gap, and one by a sample more is a discontinuity")
  func aMinuteIsTheLongestGap() {
    let minute = Int64(60 * rate)
    #expect(answers([0, 1000 + minute]).gaps.map(\.kind) == [.gap])
    let restart = answers([0, 1001 + minute, 2001 + minute])
    #expect(restart.changes == [0, 0, 0])
    #expect(restart.gaps.map(\.kind) == [.discontinuity])
  }

  @Test(
    "a jump back by half a second, or eight longer frames, is an overlap, and one by more a restart"
  )
  func halfASecondIsTheLongestOverlap() {
    let start = [0, 1000] as [Int64?]
    let far = start + (2...60).map { Int64($0) * 1000 }
    #expect(answers(far + [61_000 - 24_000]).gaps.map(\.kind) == [.overlap])
    let restart = answers(far + [61_000 - 24_001])
    #expect(restart.gaps.map(\.kind) == [.discontinuity] && restart.changes.last == 0)
    // The limit is eight codec frames where these are longer than half a second.
    let framed = clock(frame: 4096)
    #expect(answers(far + [61_000 - 32_768], framed).gaps.map(\.kind) == [.overlap])
    #expect(answers(far + [61_000 - 32_769], framed).gaps.map(\.kind) == [.discontinuity])
  }

  /// At 11025 Hz half a second is 5512.5 samples.
  @Test(
    "at 11,025 Hz a jump back by 5512 samples is an overlap, and one by 5513 a restart",
    arguments: [(5512, false), (5513, true)])
  func halfASecondOfAnOddRate(
    back: Int64, isRestart: Bool
  ) {
    var filler = GapFiller(policy: .fill, rate: 11_025)
    let clock = ClockAccuracy(clock())
    let positions = (0..<20).map { Int64($0) * 1000 } + [20_000 - back]
    for (block, position) in positions.enumerated() {
      _ = filler.judge(
        frames: 1000, position: position, clock: clock, output: Int64(block) * 1000, log: log)
    }
    #expect(filler.gaps.map(\.kind) == [isRestart ? .discontinuity : .overlap])
  }

  /// A jump back to the very beginning is a restart of the clock and not an overlap.
  @Test("a jump back to the beginning is a restart, and one to a sample after it an overlap")
  func backToTheBeginningIsARestart() {
    #expect(answers([500, 1500, 500]).gaps.map(\.kind) == [.discontinuity])
    #expect(answers([500, 1500, 501]).gaps.map(\.kind) == [.overlap])
    #expect(answers([500, 1500, 400]).gaps.map(\.kind) == [.discontinuity])
  }

  /// No sound is missing when a clock restarts and later returns to its old times.
  @Test("a clock that restarts and comes back to its old times inserts nothing")
  func aClockThatComesBackIsARestartToo() {
    let steady = (0...59).map { Int64($0) * 1000 as Int64? }
    let back = answers(steady + [0, 1000, 60_000, 61_000])
    #expect(back.gaps.map(\.kind) == [.discontinuity, .discontinuity])
    #expect(back.changes.allSatisfy { $0 == 0 })
    let onward = answers(steady + [0, 1000, 62_000, 63_000])
    #expect(onward.gaps.map(\.kind) == [.discontinuity, .discontinuity])
    let elsewhere = answers(steady + [0, 1000, 62_017, 63_017])
    #expect(elsewhere.gaps.map(\.kind) == [.discontinuity, .gap])
  }

  @Test("a rounded jump is filled with whole frames of 1024, and one between frames as it is")
  func packetsAreLostWhole() {
    let coarse = clock(tolerance: 48, frame: 1024, uncertainty: 48)
    // A gap of 1000 samples by a clock of milliseconds is rounded; one frame of 1024 was lost.
    #expect(answers([0, 2000], coarse).changes == [0, 1024])
    #expect(answers([0, 1000 + 1024 + 49], coarse).changes == [0, 1073])
    #expect(answers([0, 1000 + 3 * 1024 - 48], coarse).changes == [0, 3072])
    #expect(answers([0, 1600], coarse).changes == [0, 600])
  }

  @Test(
    "a missing or absurd position changes nothing, and samples are counted on",
    arguments: [nil, Int64.max, .min, 1 << 60 + 1] as [Int64?])
  func whatSaysNothingIsCountedOn(position: Int64?) {
    let result = answers([0, position, 2000])
    #expect(result.changes == [0, 0, 0] && result.gaps.isEmpty)
    #expect(GapFiller.plausible(position) == nil)
    #expect(answers([position, 700, 1700]).gaps.isEmpty)
  }

  @Test("of 499 jumps 100 are listed, and one degradation stands for the rest")
  func aFloodOfJumpsIsOneFinding() {
    let result = answers((0..<500).map { Int64($0) * 1100 })
    #expect(result.gaps.count == 100)
    #expect(result.changes.dropFirst().allSatisfy { $0 == 100 })
    #expect(log.degradations.count == 101)
    #expect(log.degradations.last?.message.contains("more than 100") == true)
  }
}
