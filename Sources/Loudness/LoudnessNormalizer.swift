import AudioCore

/// Finds the constant gain that brings a programme to a target loudness under a peak policy.
///
/// Gain alone is computed. A limiter lowers the loudness by an amount that only shows when it runs,
/// so with one the gain is solved by replaying the programme: secant steps on the measured
/// loudness, and the limiter's own ceiling drops by whatever the measured peak is too high.
public struct LoudnessNormalizer {
  /// Hands every block of the rendered programme, in order, to its argument.
  public typealias Replay = (_ consume: (AudioBuffer) throws -> Void) throws -> Void

  /// Kept between measured peak and limit, in dB, for the rounding of 24-bit samples.
  static let margin = 0.001
  /// Deviation from the target loudness, in LU, at which solving stops.
  static let goal = 0.02
  /// Largest deviation from the target loudness, in LU, that is accepted.
  static let tolerance = 0.05
  private static let maxReplays = 8
  /// Most gain, in dB, spent on making up for the limiter.
  private static let maxMakeup = 24.0
  /// Below this loudness the absolute gate can hide blocks that a gain brings back, and the
  /// prediction for plain gain is replaced by a measurement.
  private static let predictable = -40.0

  private let target: LoudnessTarget

  /// A normaliser for `target`.
  public init(target: LoudnessTarget) { self.target = target }

  /// Solves the gain for the programme that measured as `rendered`.
  ///
  /// `replay` runs the whole programme past its closure, block by block; it may be called several
  /// times (at most 32). Silence gets no gain. Equal inputs give equal plans.
  /// - Throws: ``MediaError`` of kind `target-not-met` when the peak policy forbids the target or no
  ///   gain reaches it; whatever `replay` throws.
  public func solve(
    rendered: LoudnessMeasurement, format: AudioFormat, dualMono: Bool, replay: Replay
  ) throws -> NormalizationPlan {
    guard let loudness = rendered.integrated else {
      return NormalizationPlan(gainDB: 0, output: rendered)
    }
    let run = ReplayMeasurement(format: format, dualMono: dualMono)
    let plain = try solvePlain(rendered, loudness: loudness, run: run, replay: replay)
    guard let peak = plain.output.truePeak, peak > ceiling else { return plain }
    switch target.peakPolicy {
    case .ignore: return plain
    case .fail: throw peakTooHigh(plain.gainDB, peak)
    case .lower:
      let gain = plain.gainDB - (peak - ceiling)
      return NormalizationPlan(gainDB: gain, output: plain.output.shifted(by: gain - plain.gainDB))
    case .limit: return try solveLimited(plain, run: run, replay: replay)
    }
  }

  /// Highest true peak delivered, in dBTP.
  private var ceiling: Double { target.truePeak - LoudnessNormalizer.margin }

  /// The plan with gain alone, whatever its peak.
  private func solvePlain(
    _ rendered: LoudnessMeasurement, loudness: Double, run: ReplayMeasurement, replay: Replay
  ) throws -> NormalizationPlan {
    var gain = target.integrated - loudness
    guard loudness < LoudnessNormalizer.predictable, !rendered.isShort else {
      return NormalizationPlan(gainDB: gain, output: rendered.shifted(by: gain))
    }
    var output = try run.plain(gainDB: gain, replay: replay)
    for _ in 1..<LoudnessNormalizer.maxReplays {
      guard let reached = output.integrated else { break }
      let error = target.integrated - reached
      if error.magnitude <= LoudnessNormalizer.goal { break }
      gain += error
      output = try run.plain(gainDB: gain, replay: replay)
    }
    return NormalizationPlan(gainDB: gain, output: output)
  }

  /// The plan with a limiter: the gentlest response that reaches the target.
  private func solveLimited(
    _ plain: NormalizationPlan, run: ReplayMeasurement, replay: Replay
  ) throws -> NormalizationPlan {
    var closest: Double?
    for response in LimiterResponse.allCases {
      let (plan, reached) = try solveLimited(plain, response, run: run, replay: replay)
      if let plan { return plan }
      closest = max(closest ?? -.infinity, reached ?? -.infinity)
    }
    throw notReached(closest)
  }

  /// The plan with a limiter of one response, starting from the gain that would do without one;
  /// `nil` with the loudness reached when that response can't do it.
  private func solveLimited(
    _ plain: NormalizationPlan, _ response: LimiterResponse, run: ReplayMeasurement,
    replay: Replay
  ) throws -> (plan: NormalizationPlan?, reached: Double?) {
    var search = GainSearch(
      gain: plain.gainDB, target: target.integrated, maxGain: plain.gainDB + Self.maxMakeup)
    // A margin of its own keeps the limiter's Float rounding from costing a replay.
    var limiterCeiling = ceiling - Self.margin
    var best: NormalizationPlan?
    var closest: Double?
    for _ in 0..<Self.maxReplays {
      let plan = try run.limited(
        gainDB: search.gain, ceilingDB: limiterCeiling, response: response, replay: replay)
      guard let reached = plan.output.integrated, let peak = plan.output.truePeak else { break }
      let error = (reached - target.integrated).magnitude
      closest = reached
      if peak <= ceiling {
        if error < best.map(deviation) ?? Self.tolerance { best = plan }
        if error <= Self.goal { return (plan, reached) }
      } else {
        limiterCeiling -= peak - ceiling + Self.margin
      }
      guard search.advance(reached: reached) else { break }
    }
    return (best, closest)
  }

  private func deviation(_ plan: NormalizationPlan) -> Double {
    ((plan.output.integrated ?? -.infinity) - target.integrated).magnitude
  }

  private func peakTooHigh(_ gain: Double, _ peak: Double) -> MediaError {
    let (loudness, gain) = (Decibels.text(target.integrated), Decibels.text(gain))
    let (peak, limit) = (Decibels.text(peak), Decibels.text(target.truePeak))
    return MediaError(
      .targetNotMet,
      "\(loudness) LUFS needs \(gain) dB of gain, which lifts the true peak to \(peak) dBTP, above"
        + " the limit of \(limit): lower --loudness or choose --peak-policy limit or lower")
  }

  private func notReached(_ closest: Double?) -> MediaError {
    let (loudness, limit) = (Decibels.text(target.integrated), Decibels.text(target.truePeak))
    let reached = closest.map { "limiting stops at \(Decibels.text($0)) LUFS" } ?? "it is silent"
    return MediaError(
      .targetNotMet,
      "the programme can't reach \(loudness) LUFS with its true peak at \(limit) dBTP, \(reached):"
        + " lower --loudness or choose --peak-policy lower")
  }
}
