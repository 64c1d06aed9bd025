// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Finds the constant gain that brings programmes to a target loudness under a peak policy.
///
/// The statistics give the effect of a gain alone. A limiter lowers the loudness by an amount that
/// is known only after it has run, so the programmes are replayed through it: the gain follows
/// secant steps on the measured loudness, and the limiter's ceiling is lowered by as much as the
/// measured peak exceeds the limit.
package struct LoudnessNormalizer {
  /// Kept between measured peak and limit, in dB, for the rounding of 24-bit samples.
  static let margin = 0.001
  /// Deviation from the target loudness, in LU, at which solving stops.
  static let goal = 0.02
  /// Largest deviation from the target loudness, in LU, that is accepted.
  package static let tolerance = 0.05
  /// Deviation from the target loudness, in LU, that is accepted of a gain set beforehand.
  static let pinTolerance = 0.1
  /// Most steps of one search for a gain.
  private static let maxSteps = 8
  /// Largest gain, in dB, that makes up for the limiter.
  private static let maxMakeup = 24.0

  private let target: LoudnessTarget
  private let stated: Double?
  private let dualMono: Bool

  /// A normaliser for `target`.
  ///
  /// `stated` is the level that the bitstream states in LUFS, needed for the mode `metadata`: its dialnorm (−31…−1), or
  /// the loudness of what is rendered; with `dualMono`, mono programmes count as two channels.
  package init(target: LoudnessTarget, stated: Double? = nil, dualMono: Bool = false) {
    self.target = target
    self.stated = stated
    self.dualMono = dualMono
  }

  /// Solves one gain for all of `programmes`.
  ///
  /// Replays them at most 32 times: 8 times for each of the three responses, and 8 times with a
  /// fixed gain. Silence gets no gain. Equal inputs give equal plans.
  /// - Throws: ``MediaError`` of kind `target-not-met` when the peak policy forbids the target or no
  ///   gain reaches it, of kind `unsupported-feature` for the mode `metadata` without a stated level;
  ///   whatever a replay throws.
  package func solve(_ programmes: [NormalizationProgramme]) throws -> NormalizationPlan {
    let rendered = ProgrammeSet(programmes.map(\.statistics), weights: programmes.map(\.weights))
    guard let loudness = rendered.level(target.reference) else {
      return plan(0, rendered, .silent)
    }
    if let pin = target.pin { return try solvePinned(pin, rendered, programmes) }
    if isAtTarget(rendered, loudness) { return plan(0, rendered, .unchanged) }
    let plain = try plainGain(rendered, loudness)
    let output = rendered.scaled(byDB: plain.gain)
    guard let peak = output.whole.truePeak, peak > ceiling else {
      return plan(plain.gain, output, plain.outcome)
    }
    switch target.peakPolicy {
    case .ignore: return plan(plain.gain, output, plain.outcome)
    case .fail: throw peakTooHigh(plain.gain, peak)
    case .lower:
      let gain = plain.gain - (peak - ceiling)
      return plan(gain, rendered.scaled(byDB: gain), .lowered)
    case .limit:
      let run = ReplayMeasurement(programmes: programmes, dualMono: dualMono)
      if plain.outcome != .reached { return try limitFixed(plain.gain, plain.outcome, run) }
      return try solveLimited(plain.gain, run)
    }
  }

  /// The plan with a gain that was set beforehand.
  private func solvePinned(
    _ pin: LoudnessTarget.Pin, _ rendered: ProgrammeSet, _ programmes: [NormalizationProgramme]
  ) throws -> NormalizationPlan {
    let output = rendered.scaled(byDB: pin.gain)
    var pinned = plan(pin.gain, output, .pinned)
    if let peak = output.whole.truePeak, peak > ceiling {
      switch target.peakPolicy {
      case .ignore: break
      case .lower where !pin.isJudged:
        let gain = pin.gain - (peak - ceiling)
        return plan(gain, rendered.scaled(byDB: gain), .lowered)
      case .fail, .lower: throw peakTooHigh(pin.gain, peak)
      case .limit:
        let run = ReplayMeasurement(programmes: programmes, dualMono: dualMono)
        pinned = try limitFixed(pin.gain, .pinned, run)
      }
    }
    guard pin.isJudged, target.mode == .measured else { return pinned }
    let reached =
      target.reference == .programme
      ? pinned.output.integrated : pinned.tracks.compactMap(\.output.integrated).max()
    guard let reached, (reached - target.integrated).magnitude <= Self.pinTolerance else {
      throw pinMissed(pin.gain, reached)
    }
    return pinned
  }

  private func pinMissed(_ gain: Double, _ reached: Double?) -> MediaError {
    let level = reached.map { "\(Decibels.text($0)) LUFS" } ?? "silence"
    return MediaError(
      .targetNotMet,
      "with the pinned gain of \(Decibels.signedText(gain)) dB the programme comes out at \(level), not "
        + "\(Decibels.text(target.integrated)) LUFS: pin the gain anew, or leave it out")
  }

  /// Highest true peak delivered, in dBTP.
  private var ceiling: Double { target.truePeak - LoudnessNormalizer.margin }

  private func isAtTarget(_ rendered: ProgrammeSet, _ loudness: Double) -> Bool {
    guard let threshold = target.threshold, target.mode == .measured else { return false }
    let isQuiet = (rendered.whole.truePeak ?? -.infinity) <= ceiling
    return (target.integrated - loudness).magnitude <= threshold
      && (isQuiet || target.peakPolicy == .ignore)
  }

  /// The gain before any peak policy, and how it came about.
  private func plainGain(
    _ rendered: ProgrammeSet, _ loudness: Double
  ) throws -> (gain: Double, outcome: NormalizationPlan.Outcome) {
    var gain: Double
    var outcome = NormalizationPlan.Outcome.reached
    switch target.mode {
    case .measured: gain = solvePlain(rendered, loudness)
    case .metadata:
      guard let stated else { throw nothingStated }
      gain = target.integrated - stated
      outcome = .metadata
    }
    if gain > target.gainLimit {
      gain = target.gainLimit
      outcome = target.lowersOnly ? .lowersOnly : .maxGain
    }
    return (gain, outcome)
  }

  /// The gain that reaches the target. Gain can lift quiet blocks over the absolute gate, so one
  /// step isn't always enough.
  private func solvePlain(_ rendered: ProgrammeSet, _ loudness: Double) -> Double {
    var gain = target.integrated - loudness
    var best = (gain: gain, error: Double.infinity)
    for _ in 0..<Self.maxSteps {
      guard let reached = rendered.scaled(byDB: gain).level(target.reference) else { break }
      let error = target.integrated - reached
      if error.magnitude < best.error { best = (gain, error.magnitude) }
      if error.magnitude <= Self.goal / 10 { break }
      gain += error
    }
    return best.gain
  }

  /// The plan with a limiter: the gentlest response that reaches the target.
  private func solveLimited(
    _ gain: Double, _ run: ReplayMeasurement
  ) throws -> NormalizationPlan {
    var closest: Double?
    for response in LimiterResponse.allCases {
      let (plan, reached) = try solveLimited(gain, response, run)
      if let plan { return plan }
      closest = max(closest ?? -.infinity, reached ?? -.infinity)
    }
    // The limit on the gain, not the limiter, keeps the target out of reach.
    if target.gainLimit < gain + Self.maxMakeup {
      return try limitFixed(target.gainLimit, target.lowersOnly ? .lowersOnly : .maxGain, run)
    }
    throw notReached(closest)
  }

  /// The plan with a limiter of one response, starting from the gain that would do without one;
  /// `nil` with the loudness reached when that response can't do it.
  private func solveLimited(
    _ gain: Double, _ response: LimiterResponse, _ run: ReplayMeasurement
  ) throws -> (plan: NormalizationPlan?, reached: Double?) {
    var search = GainSearch(
      gain: gain, target: target.integrated,
      maxGain: min(gain + Self.maxMakeup, target.gainLimit))
    // A margin of its own keeps the limiter's Float rounding from costing a replay.
    var limiterCeiling = ceiling - Self.margin
    var best: (plan: NormalizationPlan, error: Double)?
    var closest: Double?
    for _ in 0..<Self.maxSteps {
      let result = try run.limited(
        gainDB: search.gain, ceilingDB: limiterCeiling, response: response)
      guard let reached = result.outputs.level(target.reference),
        let peak = result.outputs.whole.truePeak
      else { break }
      let error = (reached - target.integrated).magnitude
      closest = reached
      if peak <= ceiling {
        if error < best?.error ?? Self.tolerance {
          best = (plan(search.gain, limiterCeiling, result, .reached), error)
        }
        if error <= Self.goal { break }
      } else {
        limiterCeiling -= peak - ceiling + Self.margin
      }
      guard search.advance(reached: reached) else { break }
    }
    return (best?.plan, closest)
  }

  /// The plan with a given gain, followed by a limiter.
  private func limitFixed(
    _ gain: Double, _ outcome: NormalizationPlan.Outcome, _ run: ReplayMeasurement
  ) throws -> NormalizationPlan {
    var limiterCeiling = ceiling - Self.margin
    for _ in 0..<Self.maxSteps {
      let result = try run.limited(gainDB: gain, ceilingDB: limiterCeiling, response: .gentle)
      guard let peak = result.outputs.whole.truePeak, peak > ceiling else {
        return plan(gain, limiterCeiling, result, outcome)
      }
      limiterCeiling -= peak - ceiling + Self.margin
    }
    throw notReached(nil)
  }

  private func plan(
    _ gain: Double, _ output: ProgrammeSet, _ outcome: NormalizationPlan.Outcome
  ) -> NormalizationPlan {
    NormalizationPlan(
      gainDB: gain, tracks: output.measurements.map { NormalizationPlan.Track(output: $0) },
      output: output.whole, outcome: outcome)
  }

  private func plan(
    _ gain: Double, _ limiterCeiling: Double, _ result: ReplayMeasurement.Result,
    _ outcome: NormalizationPlan.Outcome
  ) -> NormalizationPlan {
    let measurements = result.outputs.measurements
    let tracks = measurements.indices.map { index in
      NormalizationPlan.Track(
        limiter: result.limiters[index], quiet: result.quiet[index], output: measurements[index])
    }
    return NormalizationPlan(
      gainDB: gain, limiterCeilingDB: limiterCeiling, tracks: tracks,
      output: result.outputs.whole, outcome: outcome)
  }

  private var nothingStated: MediaError {
    MediaError(
      .unsupportedFeature,
      "\(setting: .loudnessMode) metadata: the track carries no dialnorm; use \(setting: .loudnessMode) measured"
    )
  }

  private func peakTooHigh(_ gain: Double, _ peak: Double) -> MediaError {
    let (loudness, gain) = (Decibels.text(target.integrated), Decibels.text(gain))
    let (peak, limit) = (Decibels.text(peak), Decibels.text(target.truePeak))
    return MediaError(
      .targetNotMet,
      "\(loudness) LUFS needs \(gain) dB of gain, which lifts the true peak to \(peak) dBTP, above"
        + " the limit of \(limit): lower \(setting: .loudness) or choose \(setting: .peakPolicy) limit or lower"
    )
  }

  private func notReached(_ closest: Double?) -> MediaError {
    let (loudness, limit) = (Decibels.text(target.integrated), Decibels.text(target.truePeak))
    let reached = closest.map { "limiting stops at \(Decibels.text($0)) LUFS" } ?? "it is silent"
    return MediaError(
      .targetNotMet,
      "the programme can't reach \(loudness) LUFS with its true peak at \(limit) dBTP, \(reached):"
        + " lower \(setting: .loudness) or choose \(setting: .peakPolicy) lower")
  }
}

/// Secant search for the gain at which a limited programme reaches its loudness.
///
/// After a limiter, loudness grows by less than the gain; the more the limiter reduces, the less it
/// grows. The slope is kept between 0.1 and 1.1, so that noise in the measurements can't mislead
/// the search.
struct GainSearch {
  /// Gain to try next, in dB.
  private(set) var gain: Double
  private let target: Double
  private let maxGain: Double
  private var previous: (gain: Double, loudness: Double)?

  /// A search for `target` LUFS from `gain` dB up to `maxGain` dB.
  init(gain: Double, target: Double, maxGain: Double) {
    self.gain = gain
    self.target = target
    self.maxGain = maxGain
  }

  /// Chooses the next ``gain`` from the loudness that the present one gave.
  /// - Returns: `false` when the target lies beyond the largest gain.
  mutating func advance(reached loudness: Double) -> Bool {
    let error = target - loudness
    var slope = 1.0
    if let previous, (gain - previous.gain).magnitude > 0.001 {
      slope = (loudness - previous.loudness) / (gain - previous.gain)
      slope = min(1.1, max(0.1, slope))
    }
    if gain >= maxGain && error > 0 { return false }
    previous = (gain, loudness)
    gain = min(maxGain, gain + error / slope)
    return true
  }
}

/// Figures of programmes under one gain: each alone and all together.
struct ProgrammeSet {
  let tracks: [LoudnessStatistics]
  /// How often each step of a track counts; `nil` for its gated loudness.
  let weights: [[Int]?]
  let measurements: [LoudnessMeasurement]
  let whole: LoudnessMeasurement

  init(_ tracks: [LoudnessStatistics], weights: [[Int]?] = []) {
    self.tracks = tracks
    self.weights = weights
    measurements = tracks.map(\.measurement)
    whole =
      measurements.count == 1
      ? measurements[0] : LoudnessStatistics.combined(tracks).measurement
  }

  /// The loudness that is brought to the target, in LUFS; `nil` for silence.
  func level(_ reference: LoudnessTarget.Reference) -> Double? {
    if weights.contains(where: { $0 != nil }) {
      let sums = zip(tracks, weights).map { $0.weightedSum($1 ?? []) }
      switch reference {
      case .programme:
        return LoudnessScale.mean(
          sums.reduce(0) { $0 + $1.energy }, sums.reduce(0) { $0 + $1.number })
      case .loudestTrack: return sums.compactMap { LoudnessScale.mean($0.energy, $0.number) }.max()
      }
    }
    switch reference {
    case .programme: return whole.integrated
    case .loudestTrack: return measurements.compactMap(\.integrated).max()
    }
  }

  /// The figures after a gain of `gainDB` dB.
  func scaled(byDB gainDB: Double) -> ProgrammeSet {
    ProgrammeSet(tracks.map { $0.scaled(byDB: gainDB) }, weights: weights)
  }
}
