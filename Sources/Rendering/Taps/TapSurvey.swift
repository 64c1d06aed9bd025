import AudioCore

/// What the taps at one point state about themselves, before anything is decoded.
struct TapSurvey {
  /// Samples by which their responses outlast the input, together.
  private(set) var tail = 0
  /// Whether equal input gives equal output in every run.
  private(set) var isDeterministic = true

  /// Nothing at all.
  init() {}

  /// Asks `ledger` about those of `taps` that sit at the point of `context`.
  /// - Throws: what they throw.
  init(_ taps: [LoadedTap], _ context: TapContext, _ ledger: TapLedger) throws {
    for tap in taps where tap.plan.point == context.point {
      let proof = try ledger.proof(tap, context)
      tail += proof.tail
      isDeterministic = isDeterministic && proof.isDeterministic
    }
  }
}
