import AC4

/// Decides which frames of AC-4 that can't be decoded become silence.
struct AC4DamageRule {
  /// What the caller wants of damaged frames.
  let policy: DamagePolicy
  /// Frames in a row that asked for a tool that the decoder lacks.
  private var contradictions = 0
  /// Damage can make a frame ask for anything. A stream that goes on asking for longer than this many
  /// frames means it.
  private static let mostContradictions = 8

  init(policy: DamagePolicy) { self.policy = policy }

  /// Notes a frame that was decoded.
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
