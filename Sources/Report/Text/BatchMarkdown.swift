/// A batch as Markdown, e.g. for the summary of a CI job: counts first, then the items that aren't
/// done, then all items.
package enum BatchMarkdown {
  /// Most items that are listed.
  private static let most = 500

  /// The document.
  /// - Throws: what reading an entry throws.
  package static func text(_ outcome: BatchOutcome) throws -> String {
    let counts = outcome.head.counts
    let mark = outcome.head.exit == 0 ? "✅" : "❌"
    var text = "## \(mark) pinna batch \(MarkdownReport.plain(outcome.head.source))\n\n"
    text += "\(counts.done) of \(counts.total) done"
    for (count, word) in [
      (counts.cached, "of them before"), (counts.degraded, "degraded"), (counts.failed, "failed"),
      (counts.missing, "missing"), (counts.stopped, "not done"),
    ] where count > 0 {
      text += ", \(count) \(word)"
    }
    var (bad, all): ([String], [String]) = ([], [])
    try outcome.entries.forEach { entry in
      if !entry.isDone, bad.count < most { bad.append(reason(entry)) }
      if all.count < most { all.append(row(entry)) }
    }
    text += "\n"
    if !bad.isEmpty { text += "\n| item | code | why |\n|---|---|---|\n" + bad.joined() }
    text += "\n| item | status | in LUFS | out LUFS | degradations |\n|---|---|---|---|---|\n"
    text += all.joined()
    let more = counts.total - all.count
    return text + (more > 0 ? "\nand \(more) more\n" : "")
  }

  /// Why an item isn't done.
  private static func reason(_ entry: BatchReport.Entry) -> String {
    let why = entry.error?.message ?? "stopped before it was done"
    return "| \(MarkdownReport.plain(entry.id)) | \(entry.exit) | \(MarkdownReport.plain(why)) |\n"
  }

  private static func row(_ entry: BatchReport.Entry) -> String {
    let kinds = entry.degradations.keys.sorted().joined(separator: ", ")
    return
      "| \(MarkdownReport.plain(entry.id)) | \(entry.status.rawValue)\(entry.cached ? ", done before" : "") | "
      + "\(figure(entry.loudness?.input)) | \(figure(entry.loudness?.output)) | \(MarkdownReport.plain(kinds)) |\n"
  }

  private static func figure(_ value: Double?) -> String {
    value.map { "\(($0 * 10).rounded() / 10)" } ?? "–"
  }
}
