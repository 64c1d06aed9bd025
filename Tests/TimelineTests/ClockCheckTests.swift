// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// A container's clock that disagrees with the codec's count at nearly every step, and clocks that only seem to.
@Suite struct ClockCheckTests {
  private func trim(
    _ positions: [Int64?], frames: Int = 1152, tolerance: Int64 = 1152, frame: Int64 = 1152,
    gaps: GapPolicy = .fill
  ) throws -> Trimmed {
    try Trimmed(
      positions.map { TimedBlock(frames: frames, position: $0) }, tolerance: tolerance,
      frame: frame, gaps: gaps)
  }

  private func clock(_ count: Int, step: Double) -> [Int64?] {
    (0..<count).map { Int64((Double($0) * step).rounded()) }
  }

  /// An AVI whose stream header is wrong: 12 samples pass with each frame of 1152.
  @Test(
    "a clock that passes 12 samples in frames of 1152 is left aside, and no sample is lost",
    arguments: [GapPolicy.fill, .ignore])
  func aClockThatStandsStillEatsNothing(
    gaps: GapPolicy
  ) throws {
    let result = try trim(clock(78, step: 12), gaps: gaps)
    #expect(result.samples == Trimmed.ramp(1, 78 * 1152))
    #expect(result.summary.gaps.isEmpty && result.kinds.isEmpty && result.keepsLaw)
    #expect(result.decisions.map(\.chose) == ["clock-implausible"])
    // Two frames were in time by the clock's tolerance; the window begins with the second of them.
    let message = try #require(result.decisions.first?.why)
    #expect(message.contains("passes 396 samples while the codec gives 38016"), "\(message)")
  }

  /// Slower or faster by what no loss of whole frames explains.
  @Test(
    "a clock of 0.3 to 1.5 times the codec's rate is left aside, and no sample is lost",
    arguments: [0.3, 0.6, 0.92, 1.08, 1.3, 1.5] as [Double])
  func aClockOfAnotherRateIsLeft(
    ratio: Double
  ) throws {
    let result = try trim(clock(100, step: 1152 * ratio), tolerance: 575)
    #expect(result.samples == Trimmed.ramp(1, 100 * 1152))
    #expect(result.decisions.map(\.chose) == ["clock-implausible"])
    #expect(result.summary.gaps.isEmpty && result.keepsLaw)
  }

  /// The lie may begin anywhere; what was in time before stays as it was.
  @Test("a clock that goes wrong after 50 right frames is left aside, and no sample is lost")
  func theClockMayBeginToLieLate() throws {
    let sane = clock(50, step: 1152)
    let lie = clock(50, step: 100).map { $0.map { $0 + 50 * 1152 } }
    let result = try trim(sane + lie)
    #expect(result.samples == Trimmed.ramp(1, 100 * 1152))
    #expect(result.decisions.count == 1)
  }

  /// Every second packet was lost, or all but every fourth: whole frames are missing, so silence stands for them.
  @Test(
    "whole frames missing after each frame are filled as 59 gaps, without a decision on the clock",
    arguments: [2, 4])
  func lossIsNoLie(every: Int) throws {
    let result = try trim(clock(60, step: Double(every * 1152)), tolerance: 575)
    #expect(result.samples.count == 59 * every * 1152 + 1152)
    #expect(result.decisions.isEmpty && result.summary.gaps.count == 59)
  }

  /// Single jumps among steps that are right, however large.
  @Test(
    "a single jump of the clock by -3000 to 2,000,000 samples is followed",
    arguments: [-3000, 700, 40_000, 2_000_000] as [Int64])
  func aSingleJumpIsNoLie(
    jump: Int64
  ) throws {
    let positions = clock(60, step: 1152).enumerated().map { index, position in
      position.map { index < 30 ? $0 : $0 + jump }
    }
    let result = try trim(positions, tolerance: 575)
    #expect(result.decisions.isEmpty)
    #expect(result.samples.count == 60 * 1152 + Int(jump))
  }

  /// Too few steps after the jump to call the clock wrong, but it crept there.
  @Test("a slow clock of only four frames is a drift, and no sample is lost")
  func aShortFileKeepsItsSamples() throws {
    let result = try trim([0, 12, 24, 36])
    #expect(result.samples == Trimmed.ramp(1, 4 * 1152))
    #expect(result.decisions.map(\.chose) == ["clock-drift"] && result.kinds.isEmpty)
  }

  /// Times that are calculated from offsets of bytes go to and fro by a frame.
  @Test("times that go to and fro by about a frame leave the clock as it is, and all samples")
  func timesThatGoToAndFroAreNoLie() throws {
    let positions = (0..<80).map { index -> Int64? in
      Int64(index) * 1152 + (index % 3 == 0 ? 1200 : -1100)
    }
    let result = try trim(positions)
    #expect(result.samples == Trimmed.ramp(1, 80 * 1152))
    #expect(!result.decisions.map(\.chose).contains("clock-implausible"))
  }

  /// Blocks whose clock deviates so far from the codec's count at each step.
  private func finding(
    _ deviations: [Int64], tolerance: Int64 = 575, uncertainty: Int64 = 0
  ) -> ClockCheck.Finding? {
    var position: Int64 = 0
    var blocks = [TimedBlock(frames: 1152, position: 0)]
    for deviation in deviations {
      position += 1152 + deviation
      blocks.append(TimedBlock(frames: 1152, position: position))
    }
    return ClockCheck.finding(
      blocks,
      ClockAccuracy(
        ScriptedSource([], tolerance: tolerance, frame: 1152, uncertainty: uncertainty)))
  }

  /// Nine steps of ten that fall behind, or run ahead by no whole frames, make a lie; eight don't.
  @Test(
    "nine of ten steps that deviate by 200 samples make a clock implausible, and eight don't",
    arguments: [-200, 200] as [Int64])
  func nineStepsOfTenMakeALie(deviation: Int64) {
    let lie = [Int64](repeating: deviation, count: 9)
    #expect(finding(lie + [0]) == .init(stated: 10 * 1152 + 9 * deviation, held: 10 * 1152))
    #expect(finding(lie.dropLast() + [0, 0]) == nil)
  }

  /// Lost frames whose jump is rounded, up or down, by no more than the clock's uncertainty.
  @Test(
    "lost frames that are rounded within the clock's uncertainty don't make it implausible",
    arguments: [-3, -1, 0, 1, 3] as [Int64])
  func roundedLossIsNoLie(rounding: Int64) {
    let jumps = [Int64](repeating: 1152 + rounding, count: 20)
    #expect(finding(jumps, uncertainty: 3) == nil)
    #expect((finding(jumps) != nil) == (rounding.magnitude > 1))
  }

  /// Samples that were read ahead are those that would have been read block by block.
  @Test("reading ahead to judge the clock keeps all samples and six gaps")
  func readingAheadChangesNothing() throws {
    let positions = clock(70, step: 1152).enumerated().map { index, position -> Int64? in
      index % 7 == 3 ? nil : position.map { $0 + Int64(index / 10) * 1152 }
    }
    let result = try trim(positions, tolerance: 575)
    #expect(result.summary.gaps.count == 6 && result.keepsLaw)
    #expect(result.samples.filter { $0 != 0 } == Trimmed.ramp(1, 70 * 1152))
  }
}
