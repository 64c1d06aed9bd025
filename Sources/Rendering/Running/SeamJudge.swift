import AudioCore
import Signal

/// Judges the seam between two files of one gain that follow each other: each has a limiter of its own, whose gain is at
/// rest where its file begins.
struct SeamJudge {
  /// The file before.
  struct Former {
    let output: RenderedOutput
    /// Its name in messages.
    let name: String
  }

  /// Gain reduction in dB near a seam, up to which a step in the gain isn't heard.
  private static let tolerance = 0.5

  let former: Former
  let output: RenderedOutput

  /// Reports a limiter that worked where the sound goes on from one file into the other.
  func note(_ log: DiagnosticLog) {
    guard let before = former.output.edges, output.edges?.goesOn(from: before) == true else {
      return
    }
    let reduction = max(former.output.finalReductionDB, output.firstReductionDB)
    guard reduction > SeamJudge.tolerance else { return }
    log.degrade(
      .albumSeam,
      "it goes on where \(former.name) ends, but the limiter begins anew with it and took off "
        + "\(Decibels.text(reduction)) dB there, so a step may be heard between them; use "
        + "\(setting: .peakPolicy) lower, or a lower \(setting: .loudness)")
  }
}
