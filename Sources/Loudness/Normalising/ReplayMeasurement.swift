// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Measures programmes as a limiter would leave them, by running it only where it has something to do.
///
/// Everywhere else its output is the programme times the gain, bit for bit, and so are the figures.
final class ReplayMeasurement {
  /// The limited programmes: the result of each, and the figures of all together.
  struct Result {
    let limiters: [LimiterActivity?]
    let quiet: [QuietSteps]
    let outputs: ProgrammeSet
  }

  private let programmes: [NormalizationProgramme]
  private let dualMono: Bool
  private let bounds: [PeakBounds]

  /// Measures `programmes`; with `dualMono`, mono counts twice.
  init(programmes: [NormalizationProgramme], dualMono: Bool) {
    self.programmes = programmes
    self.dualMono = dualMono
    bounds = programmes.map(PeakBounds.init)
  }

  /// Measures the programmes after a limiter.
  /// - Throws: what reading a programme and the limiter throw.
  func limited(gainDB: Double, ceilingDB: Double, response: LimiterResponse) throws -> Result {
    var limiters: [LimiterActivity?] = []
    var quiet: [QuietSteps] = []
    var outputs: [LoudnessStatistics] = []
    for (programme, bounds) in zip(programmes, bounds) {
      let trial = LimiterTrial(
        programme: programme, bounds: bounds, gainDB: gainDB, ceilingDB: ceilingDB,
        response: response, dualMono: dualMono)
      let (activity, output) = try trial.measure()
      limiters.append(activity)
      quiet.append(trial.quiet)
      outputs.append(output)
    }
    return Result(
      limiters: limiters, quiet: quiet,
      outputs: ProgrammeSet(outputs, weights: programmes.map(\.weights)))
  }
}

/// One programme under one gain and one limiter: what it would measure.
///
/// The limiter runs only where it has something to do (``LimitedRun``). Everywhere else its output is the
/// programme times the gain, bit for bit, and so are the figures.
struct LimiterTrial {
  let programme: NormalizationProgramme
  let bounds: PeakBounds
  let gainDB: Double
  let ceilingDB: Double
  let response: LimiterResponse
  /// Whether mono counts twice.
  let dualMono: Bool

  /// Activity of the limiter, `nil` where it finds nothing to do, and statistics of what comes out.
  /// - Throws: what reading the programme and the limiter throw.
  func measure() throws -> (LimiterActivity?, LoudnessStatistics) {
    let scaled = programme.statistics.scaled(byDB: gainDB)
    var threshold = ceiling
    var parts = try run(above: threshold)
    guard !parts.isEmpty else { return (nil, scaled) }
    // The largest true peak may lie where the limiter isn't needed: then that is measured as well.
    while let peak = parts.map(\.peaks.between).max(), outside(parts) * gain > peak,
      peak < threshold
    {
      threshold = peak * 0.999
      parts = try run(above: threshold)
    }
    let active = parts.reduce(0) { $0 + $1.activeSamples }
    let activity = LimiterActivity(
      maxReductionDB: parts.map(\.maxReductionDB).max() ?? 0,
      activeFraction: Double(active) / Double(max(1, scaled.samples)), response: response)
    return (activity, statistics(scaled, parts))
  }

  /// The steps in which the limiter has nothing to do.
  var quiet: QuietSteps { bounds.quiet(below: ceiling / gain) }

  private var ceiling: Float { Float(Decibels.amplitude(ceilingDB)) }
  private var gain: Float { Float(Decibels.amplitude(gainDB)) }

  /// Runs the limiter wherever peaks come above `threshold`.
  private func run(above threshold: Float) throws -> [LimitedPart] {
    var parts: [LimitedPart] = []
    var step = 0
    while let peak = try bounds.next(from: step, above: threshold / gain) {
      var run = try LimitedRun(
        around: peak, earliest: step,
        limiter: TruePeakLimiter(gainDB: gainDB, ceilingDB: ceilingDB, response: response),
        format: programme.format, dualMono: dualMono)
      let part = try run.run(programme, bounds, above: threshold / gain)
      step = part.rest == nil ? part.steps.upperBound : bounds.count
      parts.append(part)
    }
    return parts
  }

  /// Largest bound of the steps that no part holds.
  private func outside(_ parts: [LimitedPart]) -> Float {
    gaps(parts).map { bounds.largest(in: $0) }.max() ?? 0
  }

  /// The steps between the parts.
  private func gaps(_ parts: [LimitedPart]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var step = 0
    for part in parts {
      gaps.append(step..<max(step, part.steps.lowerBound))
      step = part.rest == nil ? part.steps.upperBound : bounds.count
    }
    return gaps + [step..<bounds.count]
  }

  private func statistics(_ scaled: LoudnessStatistics, _ parts: [LimitedPart])
    -> LoudnessStatistics
  {
    let before = scaled.programmes[0]
    var steps = before.steps
    for part in parts { steps.replaceSubrange(part.steps, with: part.energies) }
    let (factor, figures) = (Double(gain) * Double(gain), programme.figures)
    let untouched = gaps(parts)
    let momentary = untouched.map { gap in
      figures.momentary[gap.clamped(to: figures.momentary.indices)].max() ?? 0
    }
    let peaks = untouched.map { figures.peaks[$0].max() ?? 0 }
    let energy = ProgrammeEnergy(
      steps: steps, rest: parts.last?.rest ?? before.rest, stepLength: before.stepLength,
      largestMomentary: max(
        Double(momentary.max() ?? 0) * factor, parts.map(\.momentary).max() ?? 0),
      samples: before.samples)
    return LoudnessStatistics(
      programmes: [energy], channelTruePeaks: [],
      truePeak: Decibels.peakLevel(parts.map(\.peaks.between).max() ?? 0), truePeakTime: nil,
      samplePeak: Decibels.peakLevel(
        max((peaks.max() ?? 0) * gain, parts.map(\.peaks.sample).max() ?? 0)))
  }
}
