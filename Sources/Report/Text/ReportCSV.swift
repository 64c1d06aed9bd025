// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Reports as a table in CSV (RFC 4180) for spreadsheets and scripts: one row for each output, with its levels, gain,
/// limiter and length, and one for each report without outputs.
package enum ReportCSV {
  /// Names of the columns; figures have their unit in the name, and nothing stands for an unknown one.
  package static let columns = [
    "item", "status", "exit", "output", "loudness_before_lufs", "loudness_after_lufs",
    "true_peak_before_dbtp", "true_peak_after_dbtp", "gain_db", "limiter_most_db",
    "limiter_active_percent", "seconds", "classes", "degradations", "error", "message", "input",
    "dialogue_before_lufs", "dialogue_after_lufs", "dialogue_percent", "dialogue_verdict",
  ]

  /// The line with the names of the columns.
  package static let head = columns.joined(separator: ",") + "\r\n"

  /// The whole table.
  package static func text(_ items: [ReportItem]) -> String {
    head + items.map(lines).joined()
  }

  /// The lines of one report.
  package static func lines(_ item: ReportItem) -> String {
    guard case .render(let report) = item.content else {
      return line(Row(item, ItemSummary(item)))
    }
    var row = Row(item, ItemSummary(item))
    row.status = report.status.rawValue
    row.input = report.input?.path ?? ""
    guard !report.outputs.isEmpty else {
      row.remarks = report.degradations
      return line(row)
    }
    return report.outputs.enumerated().map { index, output in
      var row = row
      row.output = output
      row.seconds = report.seconds(of: output)
      row.remarks = report.degradations.filter {
        if case .output(let other) = $0.subject { return other == index }
        return true
      }
      return line(row)
    }.joined()
  }

  /// Content of one line.
  private struct Row {
    let name: String
    let summary: ItemSummary
    var status: String
    var output: RenderReport.Output?
    var seconds: Double?
    var remarks: [Diagnostic] = []
    var input = ""

    init(_ item: ReportItem, _ summary: ItemSummary) {
      (name, self.summary, status) = (item.name, summary, summary.status)
      seconds = summary.duration
    }
  }

  private static func line(_ row: Row) -> String {
    let loudness = row.output?.loudness
    let limiter = loudness?.limiter
    let counts = row.remarks.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
    let classes = DegradationClass.allCases.filter { found in
      counts.keys.contains { $0.degradationClass == found }
    }
    let codes = counts.map { $0.key.rawValue + ($0.value > 1 ? " ×\($0.value)" : "") }.sorted()
    let cells = [
      text(row.name), row.status, "\(row.summary.exit)", text(row.output?.path ?? ""),
      figure(loudness?.input.integrated, 2),
      figure(loudness?.output.integrated ?? row.output?.integrated, 2),
      figure(loudness?.input.truePeak, 2),
      figure(loudness?.output.truePeak ?? row.output?.truePeak, 2),
      figure(loudness?.gainDB ?? row.output?.gainDB, 2), figure(limiter?.maxReductionDB, 2),
      figure(limiter.map { $0.activeFraction * 100 }, 2), figure(row.seconds, 3),
      classes.map(\.rawValue).joined(separator: " "), codes.joined(separator: "; "),
      text(row.summary.problemKind ?? ""), text(row.summary.problem ?? ""), text(row.input),
      figure(loudness?.inputDialogue, 2), figure(loudness?.dialogue?.dialogueLoudness, 2),
      figure(loudness?.dialogue.map { $0.share * 100 }, 0),
      loudness?.dialogue?.verdict.rawValue ?? "",
    ]
    return cells.joined(separator: ",") + "\r\n"
  }

  private static func figure(_ value: Double?, _ digits: Int) -> String {
    value.flatMap { $0.fixed(digits) } ?? ""
  }

  /// A text from a file or a person, as one cell on one line.
  private static func text(_ text: String) -> String {
    var text = SVGText.cleaned(text)
    // A spreadsheet would run such a text as a formula; the apostrophe keeps it a text.
    if let first = text.first, "=+-@".contains(first) { text = "'" + text }
    guard
      text.contains(where: { ",\";".contains($0) }) || text.hasPrefix(" ") || text.hasSuffix(" ")
    else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

/// A batch as a table in CSV, written item by item.
package enum BatchCSV {
  /// Hands the table to `write` in pieces; `items` returns the reports of an entry.
  /// - Throws: what reading an entry or `write` throws.
  package static func write(
    _ outcome: BatchOutcome, items: (BatchReport.Entry) -> [ReportItem],
    to write: (String) throws -> Void
  ) throws {
    try write(ReportCSV.head)
    try outcome.entries.forEach { entry in
      try write(items(entry).map(ReportCSV.lines).joined())
    }
  }
}
