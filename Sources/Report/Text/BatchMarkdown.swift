/// A batch as Markdown, e.g. for the summary of a CI job: counts first, then the items that aren't
/// done, then all items.
package enum BatchMarkdown {
  /// Most items that are listed.
  private static let most = 500

  /// The document.
  package static func text(_ report: BatchReport) -> String {
    let counts = report.counts
    let mark = report.exit == 0 ? "✅" : "❌"
    var text = "## \(mark) pinna batch \(MarkdownReport.plain(report.source))\n\n"
    text += "\(counts.done) of \(counts.total) done"
    for (count, word) in [
      (counts.cached, "of them before"), (counts.degraded, "degraded"), (counts.failed, "failed"),
      (counts.missing, "missing"), (counts.stopped, "not done"),
    ] where count > 0 {
      text += ", \(count) \(word)"
    }
    text += "\n"
    let bad = report.items.filter { !$0.isDone }
    if !bad.isEmpty {
      text += "\n| item | code | why |\n|---|---|---|\n"
      for entry in bad.prefix(most) {
        let why = entry.error?.message ?? "stopped before it was done"
        text +=
          "| \(MarkdownReport.plain(entry.id)) | \(entry.exit) | \(MarkdownReport.plain(why)) |\n"
      }
    }
    text += "\n| item | status | in LUFS | out LUFS | degradations |\n|---|---|---|---|---|\n"
    for entry in report.items.prefix(most) {
      let kinds = entry.degradations.keys.sorted().joined(separator: ", ")
      text +=
        "| \(MarkdownReport.plain(entry.id)) | \(entry.status.rawValue)\(entry.cached ? ", done before" : "") | "
        + "\(figure(entry.loudness?.input)) | \(figure(entry.loudness?.output)) | \(MarkdownReport.plain(kinds)) |\n"
    }
    let more = report.items.count - most
    if more > 0 { text += "\nand \(more) more\n" }
    return text
  }

  private static func figure(_ value: Double?) -> String {
    value.map { "\(($0 * 10).rounded() / 10)" } ?? "–"
  }
}
