/// A run over goldens.
struct GoldenSection {
  let report: GoldenReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts; failures come first.
  var markup: [Markup] {
    let failed = report.entries.filter { $0.status == "failed" }
    let all = failed + report.entries.filter { $0.status != "failed" }
    let table = PageTable(
      caption: "Goldens, failed ones first",
      columns: [
        .words("Golden"), .words("Status"), .words("What differs"), .words("What it guards"),
        .figures("Seconds"),
      ],
      rows: all.map { entry in
        let notes = entry.failures + entry.notes
        let isFailed = entry.status == "failed"
        return [
          .init(entry.id),
          .init(
            Markup(
              "span", ["class": isFailed ? "badge bad" : "badge good"],
              [
                Markup("span", ["aria-hidden": "true"], text: isFailed ? "✗ " : "✓ "),
                Markup(entry.status),
              ])), .init(notes.isEmpty ? "–" : notes.joined(separator: "; ")), .init(entry.why),
          .init(PageText.figure(entry.seconds, "")),
        ]
      }, isWide: true)
    let passed = report.entries.count - failed.count
    return [
      context.cards([
        ("Status", summary.grade.sign + " " + summary.status, "exit code \(summary.exit)"),
        ("Goldens", "\(passed) of \(report.entries.count)", "as recorded"),
        ("Time", PageText.duration(summary.wallSeconds), "of all goldens"),
      ])
    ] + [context.part("goldens", "Goldens", [table.markup])].compactMap { $0 }
  }
}
