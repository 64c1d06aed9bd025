import AudioCore

/// Decides which delay of a tap is removed, from what it states and what a test signal shows.
struct TapJudgement {
  /// A difference of fewer samples may come from turned phases.
  private static let phases = 16

  let title: String
  let rule: TapLatencyRule
  let log: DiagnosticLog

  /// `proof` with the delay to use; `onset` is the first sample of what comes out of the burst, counted from the burst.
  /// - Throws: ``MediaError`` of kind `verificationFailed` where the tap must be right and isn't.
  func settled(_ proof: TapProof, onset: Int?) throws -> TapProof {
    var proof = proof
    switch rule {
    case .trusted, .none: return proof
    case .pinned(let count):
      proof.used = count
      proof.isPinned = true
      log.decide(
        .tap, "\(count) samples of delay",
        why: "\(setting: .tapLatency) says so; \(title) \(shown(proof))")
      return proof
    default: break
    }
    guard let measured = proof.measured else { return try unproved(proof) }
    switch rule {
    case .measured, .shown: proof.used = max(0, measured)
    case .declared:
      guard agrees(proof.declared, measured) else { throw contradiction(proof, measured) }
    case .stated:
      if !agrees(proof.declared, measured) { contradict(proof, measured, used: proof.declared) }
    case .reported, .found: proof.used = corrected(proof, measured, onset)
    case .trusted, .none, .pinned: break
    }
    return proof
  }

  private func agrees(_ stated: Int, _ measured: Int) -> Bool { abs(measured - stated) <= 1 }

  /// The delay of a tap that states one, which may be wrong.
  private func corrected(_ proof: TapProof, _ measured: Int, _ onset: Int?) -> Int {
    let stated = proof.declared
    guard !agrees(stated, measured), !isPhase(stated, measured, onset) else { return stated }
    let used = max(0, measured)
    contradict(proof, measured, used: used)
    return used
  }

  /// Whether a filter that delays nothing more than `stated` may have moved the burst's weight a little.
  private func isPhase(_ stated: Int, _ measured: Int, _ onset: Int?) -> Bool {
    guard measured > stated, measured - stated < TapJudgement.phases, let onset else {
      return false
    }
    return stated...stated + 1 ~= onset
  }

  private func contradict(_ proof: TapProof, _ measured: Int, used: Int) {
    // What states nothing doesn't lie.
    if rule == .found {
      log.decide(
        .tap, "\(used) samples of delay",
        why:
          "\(title) states none, and a test signal shows it; \(setting: .tapLatency) 0 keeps a delay that is meant"
      )
      return
    }
    log.degrade(
      .tapLatency,
      "\(title) states a delay of \(proof.declared) samples, but a test signal shows \(measured); \(used) are removed"
    )
  }

  private func contradiction(_ proof: TapProof, _ measured: Int) -> MediaError {
    MediaError(
      .verificationFailed, about: title,
      "states a delay of \(proof.declared) samples, but delays a test signal by \(measured); correct what it "
        + "states")
  }

  private func unproved(_ proof: TapProof) throws -> TapProof {
    guard rule != .shown else {
      throw MediaError(
        .verificationFailed, about: title,
        "changes a test signal so much that nothing shows its delay; give \(setting: .tapLatency) a number of samples"
      )
    }
    log.decide(
      .tap, "\(proof.declared) samples of delay",
      why: "\(title) changes a test signal so much that nothing proves its delay")
    return proof
  }

  private func shown(_ proof: TapProof) -> String {
    let stated = "states \(proof.declared)"
    return proof.measured.map { "\(stated), a test signal shows \($0)" } ?? stated
  }
}
