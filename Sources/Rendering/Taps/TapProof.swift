// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials

/// The facts about a tap before it gets the sound.
struct TapProof: Sendable, Codable {
  /// Whether the tap was asked; else nothing is known.
  var isKnown = false
  /// Whether the user says what the delay is, whatever the tap states.
  var isPinned = false
  /// The delay that it states.
  var declared = 0
  /// The delay that a test signal showed; `nil` where none was sent or its shape wasn't found again.
  var measured: Int?
  /// The delay that is removed.
  var used = 0
  /// Samples by which its response outlasts the input.
  var tail = 0
  /// How much of the past its output depends on.
  var memory = TapContract.Memory.none
  /// Whether equal input gives equal output.
  var isDeterministic = true
  /// Whether it says how many samples it wants at a time.
  var hasOwnBlocks = false
  /// The blocks that it gets instead of those that it wants, because its output depends on them; `nil` where it gets
  /// what it wants.
  var blocks: TapContract.Blocks?

  /// Nothing is known: no delay, no tail, no memory.
  init() {}

  /// Taps one after the other, as one: the delays that are removed, tails and memories add up.
  init(_ taps: [TapProof]) {
    self.init()
    isKnown = taps.allSatisfy(\.isKnown)
    used = taps.reduce(0) { $0 + $1.used }
    tail = taps.reduce(0) { $0 + $1.tail }
    memory = taps.reduce(.none) { $0.followed(by: $1.memory) }
    isDeterministic = taps.allSatisfy(\.isDeterministic)
  }
}

extension TapContract.Memory {
  /// Samples before a sample of the output that it depends on; `nil` for all.
  var samples: Int? {
    switch self {
    case .none: return 0
    case .finite(let count): return count
    case .unbounded: return nil
    }
  }

  /// The memory of a tap with this one and then one with `other`.
  fileprivate func followed(by other: TapContract.Memory) -> TapContract.Memory {
    guard let own = samples, let further = other.samples else { return .unbounded }
    return own + further > 0 ? .finite(own + further) : .none
  }
}

/// How the delay of a tap is known.
enum TapLatencyRule: Sendable, Hashable {
  /// Pinna's own code states it, and tests prove it.
  case trusted
  /// No delay; where a test signal is found later, phases were turned.
  case none
  /// The tap states it, and a test signal checks it.
  case declared
  /// The tap states it, and a test signal corrects it.
  case reported
  /// The tap can't state it, and a test signal shows it.
  case found
  /// The tap states it, and it is used even if a test signal shows another one.
  case stated
  /// A test signal shows it; where none can, the tap's word counts.
  case measured
  /// A test signal must show it.
  case shown
  /// The user says that it is so many samples.
  case pinned(Int)
}

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
    // A tap that states nothing doesn't lie.
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

/// The results of plugins' trials, kept on the disk from one run to the next, by the digest of the plugin's code and
/// descriptions.
///
/// Programs aren't kept: what a program does depends on more than its own file.
struct TapProofStore {
  /// A trial with what it had to tell.
  private struct Entry: Codable {
    var proof: TapProof
    var degradations: [Diagnostic]
    var decisions: [Decision]
  }

  private let records: RecordStore

  /// The trials in `folder`, which is made on first use.
  init(folder: String) { records = RecordStore(path: folder) }

  /// Facts about `tap`, where it gets what `context` says: from an earlier run, or from a trial now, whose remarks
  /// go to `log` either way.
  /// - Throws: what `prove` throws; a failed trial isn't kept.
  func proof(
    _ tap: LoadedTap, _ context: TapContext, _ log: DiagnosticLog,
    _ prove: (DiagnosticLog) throws -> TapProof
  ) throws -> TapProof {
    guard tap.isKeptProved, let key = key(tap, context.format) else { return try prove(log) }
    let bytes = records.load(key)
    if let bytes, let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)) {
      tell(entry, log)
      return entry.proof
    }
    let own = DiagnosticLog()
    let proof = try prove(own)
    let entry = Entry(
      proof: proof, degradations: own.degradations, decisions: own.decisions)
    tell(entry, log)
    if let bytes = try? JSONEncoder().encode(entry) { records.save([UInt8](bytes), as: key) }
    return proof
  }

  private func tell(_ entry: Entry, _ log: DiagnosticLog) {
    for doubt in entry.degradations { log.degrade(doubt.code, doubt.message) }
    for choice in entry.decisions { log.decide(choice.code, choice.chose, why: choice.why) }
  }

  private func key(_ tap: LoadedTap, _ format: AudioFormat) -> SegmentKey? {
    guard let plan = try? JSONEncoder().encode(tap.plan) else { return nil }
    var key = SegmentKey.Builder()
    key.add("pinna", text: PinnaVersion.text)
    key.add("plan", bytes: [UInt8](plan))
    key.add("rule", text: "\(tap.latency)")
    key.add("format", text: "\(format.sampleRate) \(format.layout)")
    return key.key
  }
}
