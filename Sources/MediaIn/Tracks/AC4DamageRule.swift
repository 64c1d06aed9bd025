import AC4

/// Decides which frames of AC-4 that can't be decoded become silence.
struct AC4DamageRule {
  /// Whether damaged frames fail the run.
  let policy: DamagePolicy
  /// Frames in a row that need a tool that the decoder lacks.
  private var contradictions = 0
  /// Damage can make a frame seem to need any tool. When more than this many frames in a row need one that
  /// is missing, the stream isn't damaged but unsupported.
  private static let mostContradictions = 8

  init(policy: DamagePolicy) { self.policy = policy }

  /// Ends the row of frames that need a missing tool.
  mutating func noteDecoded() { contradictions = 0 }

  /// Whether the frame that failed with `error` becomes silence; otherwise the run fails.
  mutating func conceals(_ error: AC4Error) -> Bool {
    if error.isUnsupported { contradictions += 1 }
    return policy == .conceal && contradictions <= AC4DamageRule.mostContradictions
  }
}

extension AC4Error {
  /// Whether the decoder lacks something, rather than the stream being damaged.
  var isUnsupported: Bool {
    if case .unsupported = self { return true }
    return false
  }
}
