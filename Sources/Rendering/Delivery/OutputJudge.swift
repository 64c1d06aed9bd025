// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Signal

/// Judges whether a written file measures as it was planned to.
struct OutputJudge {
  /// LU by which a lossy encoding may move the loudness before it is corrected: a tenth of what EBU R
  /// 128 allows a programme.
  private static let codecTolerance = 0.1
  /// LU that reading back may differ from the plan, for the two meters' rounding.
  private static let meterTolerance = 0.02
  /// LU beyond which even a lossy encoding can't have moved the loudness: then the file is wrong.
  private static let faultTolerance = 6.0
  /// dB that a measured true peak may lie above the ceiling that the limiter held, for rounding.
  private static let peakTolerance = 0.005
  /// LU and dB by which a file with objects may differ besides: a ramp that was under way when the range began
  /// goes on from the place that was reached, and renderers fade gains, not places.
  private static let rampTolerance = 0.1
  /// dBFS below which a programme counts as silent: half a step of 16-bit integers.
  private static let silence = -90.0

  let output: RenderedOutput
  /// The output's name, for messages.
  let name: String
  let isClipped: Bool
  let log: DiagnosticLog

  private var container: Container { output.branch.plan.container }
  private var level: LoudnessTarget? { output.target }

  /// How far, in dB, a lossy encoding has lifted the true peak above its ceiling; `nil` when it hasn't by more than
  /// ``HeldEncoding/allowance``, or the peak doesn't matter.
  func overshoot(_ measured: LoudnessMeasurement) -> Double? {
    guard container.isLossy, let target = level, target.peakPolicy != .ignore,
      output.rendered.integrated != nil, let peak = measured.truePeak,
      peak > target.truePeak + HeldEncoding.allowance
    else { return nil }
    return peak - target.truePeak
  }

  /// How far, in LU, a lossy encoding has moved the loudness from what was planned first; `nil` when it
  /// is near enough.
  func drift(_ measured: LoudnessMeasurement) -> Double? {
    guard container.isLossy, let goal = output.goal, let got = measured.integrated else {
      return nil
    }
    return (got - goal).magnitude > OutputJudge.codecTolerance ? got - goal : nil
  }

  /// Compares loudness and peak of the written file with the plan.
  /// - Throws: ``MediaError`` of kind `verification-failed` when the file isn't as planned.
  func judge(_ measured: LoudnessMeasurement) throws {
    // Samples beyond full scale were clipped, so the file can't be silent.
    guard !isClipped || measured.samplePeak != nil else {
      throw failure("is silent")
    }
    if isRoundedAway(measured) { return }
    if output.track.output.integrated == nil,
      let peak = measured.samplePeak, peak > peakOfSilence
    {
      throw failure("is louder than the programme")
    }
    try judgeLoudness(measured)
    try judgePeak(measured)
  }

  private func judgeLoudness(_ measured: LoudnessMeasurement) throws {
    guard let wanted = output.track.output.integrated, !isClipped, !isBeyondJudging(measured)
    else { return }
    guard let got = measured.integrated, (got - wanted).magnitude <= tolerance(wanted) else {
      let got = measured.integrated.map { Decibels.text($0) } ?? "silence"
      throw failure("measures \(got) LUFS, not \(Decibels.text(wanted))")
    }
  }

  private func judgePeak(_ measured: LoudnessMeasurement) throws {
    guard !container.isLossy, let wanted = level, wanted.peakPolicy != .ignore,
      output.rendered.integrated != nil, let peak = measured.truePeak
    else { return }
    guard peak <= wanted.truePeak + OutputJudge.peakTolerance + slack else {
      throw failure(
        "peaks at \(Decibels.text(peak)) dBTP, above the ceiling of "
          + Decibels.text(wanted.truePeak))
    }
  }

  /// Highest sample peak, in dBFS, that a programme without loudness may have in the file: its own, and
  /// the step by which rounding may have raised it.
  private var peakOfSilence: Double {
    let own = output.rendered.samplePeak.map { $0 + output.plan.gainDB }
    return max(own ?? OutputJudge.silence, OutputJudge.silence) + 0.1
  }

  private var slack: Double { output.branch.kept == nil ? 0 : OutputJudge.rampTolerance }

  /// LU by which the file may measure otherwise than planned. Changes by a lossy encoding are
  /// corrected or reported, so only those fail that no encoding can have made.
  private func tolerance(_ wanted: Double) -> Double {
    if container.isLossy { return OutputJudge.faultTolerance }
    guard let bits = container.coding.encoding.integerBits else {
      return OutputJudge.meterTolerance + slack
    }
    // Rounding adds noise of up to a step, which lifts the loudness of a programme near that level.
    let step = Double(sign: .plus, exponent: 1 - bits, significand: 1)
    return OutputJudge.meterTolerance + slack
      + Decibels.level(1 + step / Decibels.amplitude(wanted))
  }

  /// Whether the programme is too short to judge: a lossy encoding may change anything in a
  /// programme that is shorter than its frames.
  private func isBeyondJudging(_ measured: LoudnessMeasurement) -> Bool {
    guard container.isLossy, measured.isShort else { return false }
    if measured.integrated == nil {
      log.degrade(
        .codecLoudness,
        "the encoding leaves nothing of a programme this short; use a lossless \(setting: .codec)")
    }
    return true
  }

  /// Whether nothing is left of a programme whose highest sample is below half a step of the output's integers.
  private func isRoundedAway(_ measured: LoudnessMeasurement) -> Bool {
    guard !container.isLossy, measured.samplePeak == nil,
      let bits = container.coding.encoding.integerBits,
      let own = output.rendered.samplePeak,
      own + output.plan.gainDB
        < Decibels.level(Double(sign: .plus, exponent: -bits, significand: 1))
    else { return false }
    log.degrade(
      .precision,
      "\(bits) bits leave nothing of a programme this quiet; use a finer \(setting: .bits)")
    return true
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: name, "the written file \(what); nothing was kept")
  }
}
