import AudioCore
import Loudness
import Signal

/// Reports the reasons for the gain of an output.
struct GainNotes {
  let log: DiagnosticLog
  let target: LoudnessTarget
  /// The loudness that the input states; `nil` where it has a dialnorm instead.
  let stated: StatedLevel?

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
    if limiter.maxReductionDB > 6 || limiter.activeFraction > 0.01 {
      log.degrade(
        .limited,
        "the limiter took off up to \(Decibels.signedText(-limiter.maxReductionDB)) dB and worked "
          + "\(percent(limiter.activeFraction)) of the time; use \(setting: .peakPolicy) lower for none"
      )
    }
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

  private func percent(_ fraction: Double) -> String {
    let tenths = Int((fraction * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
