/// The one sentence about two files.
package struct ComparisonVerdict: Sendable, Equatable {
  /// The first layer that failed; `nil` when all passed.
  package let failed: ComparisonLayer?
  /// The layer that explains it best.
  package let explainedBy: ComparisonLayer?
  /// What happened.
  package let sentence: String

  /// The verdict over layers in order: the first that failed decides, the one that explains most is
  /// quoted.
  package init(_ layers: [LayerResult], tolerance: ComparisonTolerance) {
    let failures = layers.filter { $0.status == .failed }
    failed = failures.first?.layer
    let best = failures.compactMap { $0.fault?.rank }.max()
    let speaker = failures.first { $0.fault?.rank == best }
    explainedBy = speaker?.layer
    guard let fault = speaker?.fault else {
      sentence = "alike: REF and TEST agree within the tolerance \(tolerance.name)."
      return
    }
    sentence = "different: \(fault.sentence)."
  }
}
