import AudioCore
import Essentials
import SegmentStore

/// What trials of plugins showed, kept on the disk from one run to the next, by the digest of the plugin's code and
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

  /// What is known of `tap`, where it gets what `context` says: from an earlier run, or from a trial now, whose remarks
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
