// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// A trial that runs the limiter only where it works, against one that runs it over the whole programme.
@Suite struct LimiterTrialTests {
  private static let format = AudioFormat(sampleRate: 44_100, layout: .stereo)

  /// Quiet noise of 30 s with peaks here and there, also at the very beginning and end, near each other and
  /// in one channel only.
  private static let sparse: [[Float]] = {
    let places = [0.001, 3, 3.25, 3.9, 12.34, 20, 20.02, 29.9995]
    return [UInt64(3), 4].map { seed in
      var noise = SeededNoise(seed: seed)
      var plane = Signal.lowPass(noise.samples(1_323_000, peak: 0.05), cutoff: 0.1)
      for (index, place) in places.enumerated() where seed == 3 || index % 2 == 0 {
        plane[min(plane.count - 1, Int(place * 44_100))] = index % 3 == 0 ? 0.7 : -0.45
      }
      return plane
    }
  }()

  /// Hands out the programme from the block of 10,000 samples that holds `first` on; counts blocks.
  private func programme(_ planes: [[Float]], count: @escaping () -> Void = {}) throws
    -> NormalizationProgramme
  {
    let meter = try LoudnessMeter(format: Self.format, keepsFigures: true)
    try Signal.feed(planes, block: 4096) { try meter.add($0) }
    return NormalizationProgramme(
      format: Self.format, statistics: meter.statistics(), figures: meter.figures
    ) { first, consume in
      var (start, isWanted) = (Int64(0), true)
      try Signal.feed(planes, block: 10_000) { block in
        let end = start + Int64(block.frames)
        if isWanted, end > first {
          count()
          isWanted = try consume(start, block)
        }
        start = end
      }
    }
  }

  private func plain(
    _ planes: [[Float]], _ gain: Double, _ ceiling: Double, _ response: LimiterResponse
  ) throws -> (LoudnessMeasurement, TruePeakLimiter) {
    let limiter = TruePeakLimiter(gainDB: gain, ceilingDB: ceiling, response: response)
    let limited = try Signal.run(limiter, planes, format: Self.format, block: 4096)
    let meter = try LoudnessMeter(format: Self.format)
    try Signal.feed(limited, block: 4096) { try meter.add($0) }
    return (meter.measurement(), limiter)
  }

  private func near(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return (one - other).magnitude < 1e-5
  }

  @Test(
    "a trial of the limiter has the figures of a plain run", arguments: [0, 4.5, 9, 30],
    LimiterResponse.allCases)
  func givesThePlainFigures(gain: Double, response: LimiterResponse) throws {
    for planes in [Self.sparse, LoudnessNormalizerTests.programme("bursts")] {
      let programme = try programme(planes)
      let trial = LimiterTrial(
        programme: programme, bounds: PeakBounds(programme), gainDB: gain, ceilingDB: -1,
        response: response, dualMono: false)
      let (activity, statistics) = try trial.measure()
      let (expected, limiter) = try plain(planes, gain, -1, response)
      let found = statistics.measurement
      #expect(near(found.integrated, expected.integrated))
      #expect(near(found.range, expected.range))
      #expect(near(found.momentaryMax, expected.momentaryMax))
      #expect(near(found.shortTermMax, expected.shortTermMax))
      #expect(near(found.truePeak, expected.truePeak))
      #expect(near(found.samplePeak, expected.samplePeak))
      #expect(found.samples == expected.samples)
      #expect(activity?.maxReductionDB ?? 0 == limiter.maxReductionDB)
      let active = (activity?.activeFraction ?? 0) * Double(found.samples)
      #expect(Int64(active.rounded()) == limiter.activeSamples)
    }
  }

  /// The second trial with a gain a little higher reads only what lies around the peaks.
  @Test("a second trial reads the samples around peaks alone") func readsOnlyWhatTheLimiterChanges()
    throws
  {
    var blocks = 0
    let programme = try programme(Self.sparse) { blocks += 1 }
    let bounds = PeakBounds(programme)
    func measure(_ gain: Double) throws {
      _ = try LimiterTrial(
        programme: programme, bounds: bounds, gainDB: gain, ceilingDB: -1, response: .hard,
        dualMono: false
      ).measure()
    }
    try measure(3)
    blocks = 0
    try measure(3.1)
    #expect(blocks > 0 && blocks < 70, "of 133 blocks")
    blocks = 0
    try measure(-20)
    #expect(blocks == 0)
  }

  @Test(
    "a limiter that knows the quiet steps gives the same samples", arguments: [0, 4.5, 9, 30],
    LimiterResponse.allCases)
  func quietStepsChangeNoSample(gain: Double, response: LimiterResponse) throws {
    for planes in [Self.sparse, LoudnessNormalizerTests.programme("bursts")] {
      let programme = try programme(planes)
      let trial = LimiterTrial(
        programme: programme, bounds: PeakBounds(programme), gainDB: gain, ceilingDB: -1,
        response: response, dualMono: false)
      _ = try trial.measure()
      func limited(_ quiet: QuietSteps?) throws -> [[Float]] {
        let limiter = TruePeakLimiter(gainDB: gain, ceilingDB: -1, response: response, quiet: quiet)
        return try Signal.run(limiter, planes, format: Self.format, block: 4096)
      }
      let plain = try limited(nil)
      #expect(try limited(trial.quiet) == plain)
      // A limiter that is wrongly reported to have nothing to do shows that it relies on the report.
      let none = QuietSteps(
        stepLength: 4410, isQuiet: trial.quiet.isQuiet.map { _ in true })
      #expect((try limited(none) == plain) == !trial.quiet.isQuiet.contains(false))
    }
  }

  @Test("quiet steps hold nothing before the programme, nor after it") func quietStepsEnd() {
    let steps = QuietSteps(stepLength: 100, isQuiet: [true, true, false, true])
    #expect(steps.covers(0..<200) && steps.covers(300..<400) && steps.covers(199..<200))
    #expect(!steps.covers(-1..<100) && !steps.covers(399..<401))
    #expect(!steps.covers(199..<201) && !steps.covers(250..<350))
  }
}
