/// A batch as JUnit XML: one test case an item.
package enum BatchJUnit {
  /// Hands the document to `write`, item by item.
  /// - Throws: what reading an entry or `write` throws.
  package static func write(_ outcome: BatchOutcome, to write: (String) throws -> Void) throws {
    try JUnitDocument.write(
      suite: "batch \(outcome.head.source)", className: "batch",
      cases: { body in try outcome.entries.forEach { try body(item($0)) } }, to: write)
  }

  private static func item(_ entry: BatchReport.Entry) -> JUnitCase {
    let kinds = entry.degradations.keys.sorted().joined(separator: ", ")
    let errors = entry.stderr?.split(separator: "\n", omittingEmptySubsequences: false)
    return JUnitCase(
      name: entry.id, seconds: entry.cached ? 0 : entry.performance?.wallSeconds ?? 0,
      outcome: outcome(entry), notes: kinds.isEmpty ? [] : ["degraded: \(kinds)"],
      errors: errors?.map(String.init) ?? [])
  }

  private static func outcome(_ entry: BatchReport.Entry) -> JUnitCase.Outcome {
    let message = entry.error?.message ?? ""
    switch entry.status {
    case .error:
      return .failure(
        kind: entry.error?.kind ?? "", message: message, details: ["exit \(entry.exit)"])
    case .missing: return .error(kind: "missing", message: message)
    case .stopped: return .skipped("stopped before it was done")
    case .ok, .silent, .unchanged: return .passed
    }
  }
}
