import AudioCore
import Signal

/// What is kept of the response of filters that begins before the sound or outlasts it.
struct FilterEnds {
  /// Whether what lies before the first sample is kept.
  var head = false
  /// Whether what lies behind the last sample is kept.
  var tail = false
}

extension RenderPlan.Branch {
  /// What is kept of its filters' response.
  var keeps: FilterEnds { FilterEnds(head: keepsHead, tail: keepsTail) }
}

extension DiagnosticLog {
  /// Below half a step of 24 bits nothing of it would be stored; filters by FFT leave such traces of later sound.
  private static let leastHead: Float = 1 / Float(1 << 24)

  /// Remarks that filters put sound before the first sample of the `source`, which was cut off and peaks at the linear
  /// `peak`.
  func noteHead(_ peak: Float, of source: String) {
    guard peak > DiagnosticLog.leastHead else { return }
    decide(
      .filterHead, "trimmed",
      why: "the output begins with the \(source); what filters put before that peaks at "
        + "\(Decibels.text(Decibels.level(Double(peak)))) dBFS before the gain, \(setting: .filterHead) "
        + "keep keeps it")
  }
}
