// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Signal

/// Reports the reasons for the gain of an output.
struct GainNotes {
  let log: DiagnosticLog
  let target: LoudnessTarget
  /// The loudness that the input states; `nil` where it has a dialnorm instead.
  let stated: StatedLevel?
  /// Whether LFE channels, played by others, make up much of the largest peak.
  let isDrivenByLFE: Bool

  /// Gain reduction in dB that no one hears: a limiter that did less isn't reported.
  private static let leastReduction = 0.1
  /// Gain reduction in dB that is heard even in a single peak.
  private static let deepReduction = 6.0
  /// Part of the time from which on less reduction is reported, too.
  private static let longActivity = 0.01

  /// Notes the plan of an output whose own part in it is `track`.
  func note(_ plan: NormalizationPlan, _ track: NormalizationPlan.Track) {
    if track.output.isShort {
      log.degrade(
        .shortProgramme,
        "the programme is shorter than 400 ms; its loudness is measured ungated as one block")
    }
    noteOutcome(plan, track)
    guard let limiter = track.limiter else { return }
    if limiter.response != .gentle {
      log.degrade(
        .limitedHard,
        "the target is only reached by a limiter with a \(limiter.response.rawValue) response, "
          + "which distorts; use \(setting: .peakPolicy) lower for none")
    }
    guard GainNotes.isHeard(limiter) else { return }
    log.degrade(
      .limited,
      "\(GainNotes.work(of: limiter)); \(cause(isLong: GainNotes.isLong(limiter)))")
  }

  /// Whether a limiter did enough to be reported.
  static func isHeard(_ limiter: LimiterActivity) -> Bool {
    limiter.maxReductionDB > deepReduction || isLong(limiter)
  }

  /// The work of `limiter` in words.
  static func work(of limiter: LimiterActivity) -> String {
    "the limiter took off up to \(Decibels.text(limiter.maxReductionDB)) dB and worked "
      + "\(percent(limiter.activeFraction)) of the time"
  }

  private static func isLong(_ limiter: LimiterActivity) -> Bool {
    limiter.activeFraction > longActivity && limiter.maxReductionDB >= leastReduction
  }

  /// The likely cause of much limiting, and what helps.
  private func cause(isLong: Bool) -> String {
    if isDrivenByLFE {
      return "LFE is the likely cause, so use a lower \(setting: .lfeGain)"
    }
    if let pin = target.pin, !pin.isJudged {
      return
        "the items have their loudness, and overlaps or tails of filters add up to more, so use "
        + "\(setting: .peakPolicy) lower for no limiter"
    }
    return isLong
      ? "the target is high for this programme, so use a lower \(setting: .loudness), or "
        + "\(setting: .peakPolicy) lower for no limiter"
      : "short peaks are the cause, so use \(setting: .peakPolicy) lower for a lower level without a limiter"
  }

  private func noteOutcome(_ plan: NormalizationPlan, _ track: NormalizationPlan.Track) {
    let level = plan.output.integrated.map { "\(Decibels.text($0)) LUFS" } ?? "silence"
    let gain = "\(Decibels.signedText(plan.gainDB)) dB"
    switch plan.outcome {
    case .reached: break
    case .silent:
      log.degrade(.silent, "the programme is silent, so its level is left alone")
    case .unchanged:
      log.decide(
        .loudness, "unchanged",
        why: "\(level) is within \(Decibels.text(target.threshold ?? 0)) LU of the target "
          + "(\(setting: .loudnessThreshold))")
    case .pinned:
      log.decide(.gain, gain, why: "it was set beforehand; the programme comes out at \(level)")
    case .metadata:
      let source = stated.map { "the loudness stated for \($0.layout)" } ?? "dialnorm"
      log.decide(
        .gain, gain,
        why: "target − \(source) (\(setting: .loudnessMode) metadata); it comes out at \(level)")
    case .lowersOnly:
      log.decide(.gain, gain, why: "\(setting: .lowersOnly): it stays at \(level)")
    case .maxGain:
      log.decide(
        .gain, gain, why: "the most that \(setting: .maxGain) allows; it stays at \(level)")
    case .lowered:
      log.decide(
        .gain, gain,
        why: "\(setting: .peakPolicy) lower: its peaks allow no more, it stays at \(level)")
    }
  }

  /// A part of a whole, 0…1, in words.
  static func percent(_ fraction: Double) -> String {
    let tenths = Int((fraction * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
