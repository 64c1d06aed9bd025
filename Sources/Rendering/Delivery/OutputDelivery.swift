// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaOut
import Report
import Signal

/// Brings one output into its file: writes it, reads it back, judges it, and writes it again while a
/// lossy encoding lifts the peak above its ceiling or moves the loudness.
struct OutputDelivery {
  /// Times an output is written again because of its encoding.
  private static let maxRewrites = 3
  /// dB by which the ceiling is lowered further than the overshoot, so that the next try lands below; four times as much
  /// for each further try, because an encoder answers small changes by chance.
  private static let margin = 0.02

  /// dB above its ceiling that a peak may stay where single packets can't hold it.
  private static let ceilingTolerance = 0.05

  /// dB by which another plan must miss less, so that the output is written once more.
  private static let worthwhile = 0.05

  /// LU of an expected change of the loudness that the gain allows for: from half of what is repaired on; more than the upper
  /// end isn't credible, because spans may all lie in noise that an encoding leaves out.
  private static let credible = 0.05...1.5

  /// Part of the time that a limiter works from which on an encoding lifts many peaks.
  private static let hardLimiting = 0.25

  /// One writing of the output.
  private struct Attempt {
    let proof: Proof
    let judge: OutputJudge
    /// Whether the level was within the threshold of its target, so that no gain is solved for it.
    let isLeftAlone: Bool

    /// How far, in LU, the encoding has moved the loudness; `nil` for a gain that was set beforehand, which stays.
    func drift(_ target: LoudnessTarget) -> Double? {
      target.pin == nil && !isLeftAlone ? judge.drift(proof.levels) : nil
    }

    /// By how much ceiling and loudness are missed, dB and LU together.
    func miss(_ target: LoudnessTarget) -> Double {
      (judge.overshoot(proof.levels) ?? 0) + (drift(target)?.magnitude ?? 0)
    }
  }

  /// The written file and the proof of its content.
  struct Proof {
    let file: WrittenFile
    let levels: LoudnessMeasurement
    let copies: [TrackAccount]
  }

  let context: DeliveryContext
  /// Whether the gain may be solved again; a gain that several programmes share may not.
  let mayResolve: Bool
  /// Solves a gain for this output and another target.
  let solve: (LoudnessTarget) throws -> NormalizationPlan

  private var output: RenderedOutput { context.output }
  private var log: DiagnosticLog { context.log }

  /// Writes and proves the output.
  /// - Throws: ``MediaError`` when it can't be written or isn't as meant.
  func run() throws -> Proof {
    let delivery = context.makeDelivery()
    noteEncoding()
    defer { delivery.notePeaks() }
    guard mayResolve, let target = output.target,
      target.peakPolicy == .limit || target.peakPolicy == .lower
    else {
      let found = try lowered(delivery)
      noteCodec(found.judge, found.proof.levels)
      return found.proof
    }
    let expected = try foreseen(target)
    let found = try repaired(attempt(delivery), delivery, expected)
    noteCodec(found.judge, found.proof.levels)
    return found.proof
  }

  /// `target`, moved by what the encoding will do to loudness and peaks, so that it need not be repeated because of them.
  private func foreseen(_ target: LoudnessTarget) throws -> LoudnessTarget {
    let coding = context.coding
    guard output.branch.plan.container.isLossy, coding.iamf == nil, target.pin == nil,
      output.track.output.integrated != nil
    else { return target }
    let settings = PeakHold(output).settings(
      SoundSettings(format: context.format, coding: coding, frames: output.frames))
    let holdsPeaks = PeakHold(output).isWanted && output.plan.limiterCeilingDB != nil
    // Spans cost a tenth of a minute's encoding, so an encoder whose drift they don't show needs a reason.
    let isWorthIt =
      !coding.codec.traits.settlesSlowly
      || output.track.limiter?.activeFraction ?? 0 > OutputDelivery.hardLimiting
    let ceiling = holdsPeaks && isWorthIt ? target.truePeak : nil
    guard let forecast = try EncodingForecast(of: output, settings, ceiling: ceiling)
    else { return target }
    let drift =
      OutputDelivery.credible.contains(forecast.drift.magnitude)
        && output.plan.outcome != .unchanged
      ? forecast.drift : 0
    guard let next = try moved(target, by: drift, forecast.excess) else { return target }
    noteForecast(drift, next.truePeak < target.truePeak ? next.truePeak : nil)
    return next
  }

  /// Whether `plan` does something else to the sound than the one in force, beyond rounding.
  private func differs(_ plan: NormalizationPlan) -> Bool {
    let step = 0.005
    let ceilings = (plan.limiterCeilingDB, output.plan.limiterCeilingDB)
    guard let one = ceilings.0, let other = ceilings.1 else {
      return (ceilings.0 == nil) != (ceilings.1 == nil)
        || (plan.gainDB - output.plan.gainDB).magnitude > step
    }
    return (plan.gainDB - output.plan.gainDB).magnitude > step || (one - other).magnitude > step
  }

  private func noteForecast(_ drift: Double, _ ceiling: Double?) {
    if drift != 0 {
      log.decide(
        .gain, "\(Decibels.signedText(-drift)) dB",
        why:
          "the encoding moves the loudness by \(Decibels.signedText(drift)) LU, as spans of it show"
      )
    }
    if let ceiling {
      log.decide(
        .gain, "ceiling \(Decibels.text(ceiling)) dBTP",
        why:
          "the encoding lifts more peaks than can be lowered in single packets, as spans of it show"
      )
    }
  }

  /// Writes the output again while that helps, and at last with the plan by which the encoding misses least.
  private func repaired(
    _ first: Attempt, _ delivery: any Delivery, _ target: LoudnessTarget
  ) throws -> Attempt {
    var (found, target, margin) = (first, target, OutputDelivery.margin)
    var best = (plan: output.plan, miss: found.miss(target))
    for _ in 0..<OutputDelivery.maxRewrites {
      let overshoot = found.judge.overshoot(found.proof.levels)
      let drift = found.drift(target)
      guard overshoot != nil || drift != nil else { return found }
      let lower = lowering(delivery.peakRemedy, overshoot).map { $0 + margin }
      if lower != nil { margin *= 4 }
      if let moved = try moved(target, by: drift, lower) {
        target = moved
      } else {
        // If no other gain helps, single packets may.
        guard overshoot != nil, case .packets = delivery.peakRemedy else { break }
      }
      found = try attempt(delivery)
      let miss = found.miss(target)
      if miss < best.miss { best = (output.plan, miss) }
    }
    // An encoder at its limits may lift peaks the more the sound is limited.
    guard found.miss(target) > best.miss + OutputDelivery.worthwhile, output.plan != best.plan
    else {
      guard found.judge.overshoot(found.proof.levels) != nil, case .packets = delivery.peakRemedy
      else { return found }
      return try lowered(delivery)
    }
    take(best.plan)
    return try lowered(delivery)
  }

  /// Takes the plan for `target` without `drift`, and with a ceiling that is `lower` dB lower.
  /// - Returns: the target of that plan; `nil` where nothing is asked for, or no plan does anything else.
  private func moved(
    _ target: LoudnessTarget, by drift: Double?, _ lower: Double?
  ) throws -> LoudnessTarget? {
    var louder = target
    louder.integrated -= drift ?? 0
    var wanted = louder
    wanted.truePeak -= lower ?? 0
    // The loudness alone is corrected where both can't be had.
    for next in wanted == louder ? [louder] : [wanted, louder] where next != target {
      guard let plan = try solved(next), differs(plan) else { continue }
      take(plan)
      return next
    }
    return nil
  }

  /// Writes the output with the plan in force, and again as long as single packets hold more peaks.
  private func lowered(_ delivery: any Delivery) throws -> Attempt {
    var found = try attempt(delivery)
    for _ in 0..<OutputDelivery.maxRewrites {
      guard found.judge.overshoot(found.proof.levels) != nil,
        case .packets = delivery.peakRemedy
      else { break }
      found = try attempt(delivery)
    }
    return found
  }

  /// Takes a plan in the place of the one before.
  private func take(_ plan: NormalizationPlan) {
    output.withdrawGainNotes()
    output.adopt(plan)
  }

  /// dB by which the whole sound has to be limited further; `nil` where it hasn't. If single packets can't be made to hold
  /// their peaks, limiting is worth it only for as much as is reported.
  private func lowering(_ remedy: PeakRemedy, _ overshoot: Double?) -> Double? {
    guard let overshoot else { return nil }
    switch remedy {
    case .gain(let part): return min(part ?? overshoot, overshoot)
    case .packets: return nil
    case .none: return overshoot > OutputDelivery.ceilingTolerance ? overshoot : nil
    }
  }

  /// The gain for a target that the encoding asks for; `nil` where it can't be reached, so that the file stays as it was
  /// written: the user's own target was reached, and how far the encoding misses it is reported.
  private func solved(_ target: LoudnessTarget) throws -> NormalizationPlan? {
    do {
      return try solve(target)
    } catch let error as MediaError where error.kind == .targetNotMet {
      return nil
    }
  }

  private func attempt(_ delivery: any Delivery) throws -> Attempt {
    let written = try output.stages.time(.write) { try delivery.write() }
    let clipped = written.clipped
    if clipped > 0 {
      log.degrade(
        .clipped,
        clipped.counted(
          "sample was beyond full scale and is", "samples were beyond full scale and are")
          + " clipped; use \(setting: .peakPolicy) limit or "
          + "lower, or \(setting: .bits) 32f")
    }
    let file = try output.stages.time(.prove) { try delivery.prove(written) }
    noteLayout(file)
    noteHead()
    let levels = file.statistics.measurement
    let judge = OutputJudge(
      output: output, name: context.target.name, isClipped: clipped > 0, log: log)
    try judge.judge(levels)
    return Attempt(
      proof: Proof(file: file, levels: levels, copies: delivery.copies), judge: judge,
      isLeftAlone: output.plan.outcome == .unchanged)
  }

  private func noteLayout(_ file: WrittenFile) {
    let layout = context.format.layout
    let codec = output.branch.plan.container.coding.codec
    let named = codec.layout(for: layout)
    if named != layout, file.layout == named {
      log.decide(
        .layout, named.name,
        why: "what \(codec.rawValue) calls \(layout); the channels are the same")
    } else if file.layout != layout {
      log.degrade(
        .layoutNotCarried,
        "readers of the file take \(layout) for \(file.layout); the channels are the same")
    }
  }

  /// Reports where a log of head poses doesn't reach.
  private func noteHead() {
    guard case .moving(let path)? = output.branch.plan.renderer.listener?.head else { return }
    let length = Double(output.frames) / Double(context.format.sampleRate)
    guard let gaps = path.gaps(in: length) else { return }
    log.decide(.head, "the head rests \(gaps)", why: "the log of poses doesn't reach further")
  }

  private func noteEncoding() {
    let coding = output.branch.plan.container.coding
    if let rate = context.request.rendition?.sampleRate {
      log.decide(.rate, "\(rate) Hz", why: "asked for by \(setting: .sampleRate)")
    }
    if !coding.codec.isLossless {
      guard coding.encoding != .pcm24 || coding.dither != .none else { return }
      log.decide(
        .bits, "none",
        why:
          "a lossy encoding has no bits to choose; \(setting: .bits) and \(setting: .dither) play no part"
      )
    } else if let bits = coding.encoding.integerBits, bits < 24 {
      log.decide(
        .bits, "\(bits)", why: "asked for by \(setting: .bits), dither \(coding.dither.rawValue)")
    }
  }

  private func noteCodec(_ judge: OutputJudge, _ levels: LoudnessMeasurement) {
    // As much as the target may be missed by isn't worth a word, though it is repaired where that is possible.
    if let overshoot = judge.overshoot(levels), overshoot > LoudnessNormalizer.tolerance {
      log.degrade(
        .codecOvershoot,
        "the encoding lifts the true peak \(Decibels.signedText(overshoot)) dB above its ceiling; use "
          + "a lower \(setting: .truePeak), a higher \(setting: .bitRate) or a lossless \(setting: .codec)"
      )
    }
    if let drift = judge.drift(levels) {
      log.degrade(
        .codecLoudness,
        "the encoding moves the loudness by \(Decibels.signedText(drift)) LU; use a higher \(setting: .bitRate) or a "
          + "lossless \(setting: .codec)")
    }
  }
}
