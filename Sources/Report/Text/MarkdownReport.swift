// SPDX-License-Identifier: Apache-2.0

/// Reports as Markdown (GitHub's flavour), for the summary of a CI step or a comment: a table, then what
/// went wrong and what was degraded.
package struct MarkdownReport: Sendable {
  /// The reports, in order.
  package var items: [ReportItem]

  /// Most remarks listed for one report.
  private static let mostRemarks = 10
  /// Longest name or sentence, in scalars.
  private static let longest = 300

  /// A summary of `items`.
  package init(items: [ReportItem]) { self.items = ReportItem.distinct(items) }

  /// The whole text, ending with a newline.
  package func text() -> String {
    let rows = items.map { (item: $0, summary: ItemSummary($0)) }
    var lines = ["## Pinna: " + ItemSummary.headline(rows.map(\.summary)), ""]
    if !rows.isEmpty { lines += table(rows) + [""] }
    for row in rows {
      let remarks = remarks(row.item, row.summary)
      guard !remarks.isEmpty else { continue }
      lines += ["### \(row.summary.grade.sign) \(MarkdownReport.code(row.item.name))", ""]
      lines += remarks.prefix(MarkdownReport.mostRemarks).map { "- " + $0 }
      let rest = remarks.count - MarkdownReport.mostRemarks
      if rest > 0 { lines.append("- … and \(rest) more") }
      lines.append("")
    }
    return lines.dropLast().joined(separator: "\n") + "\n"
  }

  private func table(_ rows: [(item: ReportItem, summary: ItemSummary)]) -> [String] {
    let head = [
      "| Name | Kind | Status | Loudness, LUFS | True peak, dBTP | Remarks | Length | Speed |",
      "|:--|:--|:--|--:|--:|--:|--:|--:|",
    ]
    let body = rows.flatMap { item, summary in
      [cells(item.name, summary)] + summary.outputs.map { output(item.name, $0) }
    }
    return head + body.map { "| " + $0.joined(separator: " | ") + " |" }
  }

  private func cells(_ name: String, _ summary: ItemSummary) -> [String] {
    let exit = summary.exit == 0 ? "" : " (exit \(summary.exit))"
    return [
      MarkdownReport.code(name), summary.kind, "\(summary.grade.sign) \(summary.status)\(exit)",
      change(summary.loudness), change(summary.truePeak), "\(summary.remarks)",
      PageText.duration(summary.duration), summary.speed.map { PageText.figure($0, "×", 0) } ?? "–",
    ]
  }

  /// The cells of one of several outputs.
  private func output(_ name: String, _ output: ItemSummary.Output) -> [String] {
    [
      MarkdownReport.code(name + " → " + output.name), "output", "", change(output.loudness),
      change(output.truePeak), "\(output.remarks)", PageText.duration(output.duration), "",
    ]
  }

  private func change(_ levels: (before: Double?, after: Double?)) -> String {
    guard levels.before != nil || levels.after != nil else { return "–" }
    return PageText.figure(levels.before, "", 1) + " → " + PageText.figure(levels.after, "", 1)
  }

  private func remarks(_ item: ReportItem, _ summary: ItemSummary) -> [String] {
    func told(_ sentence: String, _ token: String?) -> String {
      MarkdownReport.plain(sentence) + (token.map { " (" + MarkdownReport.code($0) + ")" } ?? "")
    }
    let problem = summary.problem.map { [told($0, summary.problemKind)] } ?? []
    switch item.content {
    case .render(let report):
      return problem
        + report.degradations.map { entry in
          let file = report.name(of: entry.subject).map { MarkdownReport.code($0) + ": " } ?? ""
          return file + told(entry.message, entry.code.rawValue)
        }
    case .comparison(let report):
      return problem
        + report.layers.filter { $0.status == .failed }.map {
          told($0.fault ?? $0.rule, $0.layer.rawValue)
        }
    case .golden(let report):
      return report.entries.filter { $0.status == .failed }.map {
        told($0.failures.joined(separator: "; "), $0.id)
      }
    case .validation(let report):
      return report.findings.map { told("\($0.path): \($0.message)", $0.code) }
    case .measurement(let report):
      return report.degradations.map { told($0.message, $0.code.rawValue) }
    case .album: return []
    }
  }

  /// `text` on one line, with everything escaped that Markdown or HTML could read as more than text.
  static func plain(_ text: String) -> String {
    var result = ""
    for scalar in MarkdownReport.line(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // GitHub would read `@name` as a mention and notify that user.
      case "@": result += "&#64;"
      case "\\", "`", "*", "_", "{", "}", "[", "]", "|", "#", "!", "~", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    // Without its colon an address doesn't become a link.
    return result.replacing("://", with: "&#58;//")
  }

  /// `text` as code that shows every character as it is, also in a table.
  static func code(_ text: String) -> String {
    let line = MarkdownReport.line(text).replacing("|", with: "\\|")
    var (run, longest) = (0, 0)
    for scalar in line.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // A backtick at either end would merge with the fence. CommonMark 6.1 removes one space at each
    // end again.
    let pad = line.hasPrefix("`") || line.hasSuffix("`") || line.isEmpty ? " " : ""
    return fence + pad + line + pad + fence
  }

  /// At most ``longest`` scalars on one line, without control characters.
  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let cut = scalars.count > longest ? String(scalars.prefix(longest)) + "…" : text
    return SVGText.cleaned(cut)
  }
}

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
