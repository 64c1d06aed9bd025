// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

@Suite struct LoudnessNormalizerTests {
  static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)
  static let target = LoudnessTarget(integrated: -16, truePeak: -1, peakPolicy: .limit)

  /// Programmes by name.
  static func programme(_ name: String) -> [[Float]] {
    var noise = SeededNoise(seed: 31)
    switch name {
    case "quiet":
      return [1, 2].map { Signal.programme(seconds: 12, rate: 48_000, seed: $0, peak: 0.002) }
    case "loud":
      return [1, 2].map { Signal.programme(seconds: 12, rate: 48_000, seed: $0, peak: 1) }
    case "dense":
      // Clipped noise: hardly any crest factor left before the gain.
      return [5, 6].map { seed in
        Signal.programme(seconds: 12, rate: 48_000, seed: seed, peak: 4).map {
          max(-0.05, min(0.05, $0))
        }
      }
    case "clicks":
      return (0..<2).map { _ in
        var plane = Signal.lowPass(noise.samples(480_000, peak: 0.02), cutoff: 0.1)
        for index in stride(from: 2000, to: 480_000, by: 23_000) { plane[index] = 0.8 }
        return plane
      }
    case "bursts":
      return (0..<2).map { seed in
        Signal.programme(seconds: 12, rate: 48_000, seed: UInt64(seed), peak: 0.1).enumerated()
          .map { $1 * (($0 / 4800) % 10 == 0 ? 4 : 1) }
      }
    case "half":
      return [1, 2].map { Signal.programme(seconds: 0.3, rate: 48_000, seed: $0, peak: 0.1) }
    default:
      return [8, 9].map { Signal.programme(seconds: 5, rate: 48_000, seed: $0, peak: 0.3) }
    }
  }

  static func solve(_ planes: [[Float]], _ target: LoudnessTarget) throws -> NormalizationPlan {
    try LoudnessNormalizer(target: target).solve([try track(planes)])
  }

  static func track(_ planes: [[Float]]) throws -> NormalizationProgramme {
    let meter = try LoudnessMeter(format: stereo, keepsFigures: true)
    try Signal.feed(planes, block: 4096) { try meter.add($0) }
    return NormalizationProgramme(
      format: stereo, statistics: meter.statistics(), figures: meter.figures
    ) { first, consume in
      var (start, isWanted) = (Int64(0), true)
      try Signal.feed(planes, block: 10_000) { block in
        let end = start + Int64(block.frames)
        if isWanted, end > first { isWanted = try consume(start, block) }
        start = end
      }
    }
  }

  /// The delivered signal, as the second pass makes it.
  static func deliver(_ planes: [[Float]], _ plan: NormalizationPlan) throws -> [[Float]] {
    guard let ceiling = plan.limiterCeilingDB else {
      return try Signal.run(GainStage(gainDB: plan.gainDB), planes, format: stereo, block: 4096)
    }
    let limiter = TruePeakLimiter(gainDB: plan.gainDB, ceilingDB: ceiling)
    return try Signal.run(limiter, planes, format: stereo, block: 4096)
  }

  @Test(
    "normalised programmes have -16 LUFS within 0.05 LU and at most -0.99 dBTP by libebur128",
    arguments: ["quiet", "loud", "dense", "clicks", "bursts", "five"])
  func meetsLoudnessAndPeakByLibebur128(name: String) throws {
    let planes = Self.programme(name)
    let plan = try Self.solve(planes, Self.target)
    let output = try Self.deliver(planes, plan)
    let oracle = try #require(Oracle(output, format: Self.stereo))
    #expect((oracle.integrated + 16).magnitude <= 0.05)
    #expect(oracle.truePeak <= -0.99)
    #expect(try #require(plan.output.truePeak) <= -1.0009)
    // The second pass delivers the loudness and peak that the plan states.
    let again = try Signal.measure(output, format: Self.stereo, block: 777)
    let tolerance = plan.limiterCeilingDB == nil ? 1e-4 : 1e-6
    for figure in [
      \LoudnessMeasurement.integrated, \.truePeak, \.samplePeak, \.range, \.momentaryMax,
      \.shortTermMax,
    ] {
      let (found, stated) = (again[keyPath: figure] ?? -200, plan.output[keyPath: figure] ?? -200)
      #expect((found - stated).magnitude < tolerance)
    }
    #expect(try Self.solve(planes, Self.target) == plan)
  }

  @Test("a programme of clicks gets a limiter, and a loud one gets none")
  func limitsOnlyWhenPeaksNeedIt() throws {
    #expect(try Self.solve(Self.programme("loud"), Self.target).limiterCeilingDB == nil)
    let plan = try Self.solve(Self.programme("clicks"), Self.target)
    let activity = try #require(plan.limiter)
    #expect(activity.maxReductionDB > 3)
    #expect(activity.activeFraction > 0 && activity.activeFraction < 1)
    #expect(try #require(plan.limiterCeilingDB) <= -1)
  }

  @Test("each peak policy chooses whether loudness or peak gives way")
  func policiesChooseWhatGivesWay() throws {
    let planes = Self.programme("clicks")
    var target = Self.target
    target.peakPolicy = .lower
    let lower = try Self.solve(planes, target)
    let lowered = try #require(Oracle(try Self.deliver(planes, lower), format: Self.stereo))
    #expect((try #require(lower.output.truePeak) + 1.001).magnitude < 1e-6)
    #expect((lowered.integrated - (try #require(lower.output.integrated))).magnitude <= 0.01)
    #expect(lowered.integrated < -18 && lower.limiterCeilingDB == nil)

    target.peakPolicy = .ignore
    let ignore = try Self.solve(planes, target)
    #expect((try #require(ignore.output.integrated) + 16).magnitude < 1e-6)
    #expect(try #require(ignore.output.truePeak) > 0)

    target.peakPolicy = .fail
    let error = #expect(throws: MediaError.self) { try Self.solve(planes, target) }
    #expect(error?.kind == .targetNotMet)
    target.truePeak = 30
    #expect(try Self.solve(planes, target).limiterCeilingDB == nil)
  }

  @Test("-1 LUFS at -6 dBTP is refused, and the error names the figure and the option that helps")
  func unreachableLoudnessIsRefusedWithFigures() throws {
    let target = LoudnessTarget(integrated: -1, truePeak: -6)
    let error = #expect(throws: MediaError.self) { try Self.solve(Self.programme("five"), target) }
    #expect(error?.kind == .targetNotMet)
    #expect(error?.message.contains("-1.00 LUFS") == true)
    #expect(error?.message.contains("level.peakPolicy lower") == true)
  }

  @Test("silence gets neither gain nor limiter")
  func silenceIsLeftAlone() throws {
    let planes = [Signal.silence(3), Signal.silence(3)]
    let plan = try Self.solve(planes, Self.target)
    #expect(plan.gainDB == 0 && plan.limiterCeilingDB == nil && plan.output.integrated == nil)
  }

  @Test("a programme of 0.3 s is normalised to -16 LUFS within 0.05 LU and at most -1 dBTP")
  func shortProgrammesMeetTheTarget() throws {
    let planes = Self.programme("half")
    let plan = try Self.solve(planes, Self.target)
    let again = try Signal.measure(try Self.deliver(planes, plan), format: Self.stereo)
    #expect(again.isShort)
    #expect((try #require(again.integrated) + 16).magnitude <= 0.05)
    #expect(try #require(again.truePeak) <= -1)
  }

  @Test(
    "a programme half of which is below the absolute gate is normalised to -16 LUFS within 0.05 LU")
  func absoluteGateDoesNotSpoilVeryQuietProgrammes() throws {
    // Half of the programme lies below the absolute gate of −70 LUFS and counts only after the gain.
    let loud = Signal.tone(-67, seconds: 6)
    let plane = loud + Signal.tone(-73, seconds: 6)
    let plan = try Self.solve([plane, plane], Self.target)
    let output = try Self.deliver([plane, plane], plan)
    let oracle = try #require(Oracle(output, format: Self.stereo))
    #expect((oracle.integrated + 16).magnitude <= 0.05)
    #expect(plan.gainDB > 52)
  }
}
