import AudioCore

/// What taps state about themselves, before anything is decoded.
struct TapSurvey: Sendable {
  /// Samples by which their responses outlast the input, together.
  private(set) var tail = 0
  /// Samples of sound to come that their output depends on, together: the delays that are removed.
  private(set) var ahead = 0
  /// Samples of sound before that their output depends on, together; `nil` where it depends on all of it.
  private(set) var memory: Int? = 0
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
      ahead += proof.used
      isDeterministic = isDeterministic && proof.isDeterministic
      switch proof.memory {
      case .none: break
      case .finite(let count): memory = memory.map { $0 + count }
      case .unbounded: memory = nil
      }
    }
  }

  /// Adds what others state, which get the same sound at the same rate.
  mutating func add(_ other: TapSurvey) {
    tail += other.tail
    ahead += other.ahead
    isDeterministic = isDeterministic && other.isDeterministic
    if let own = memory, let further = other.memory { memory = own + further } else { memory = nil }
  }
}
