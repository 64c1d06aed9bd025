/// What `validate` found in a file.
struct ValidationSection {
  let report: ValidationReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts.
  var markup: [Markup] {
    let cards = context.cards([
      ("Status", summary.grade.sign + " " + summary.status, "exit code \(summary.exit)"),
      ("Format", report.format, report.fragments.map { PageText.count($0, "fragment") }),
      ("Samples", PageText.count(report.samples), "per channel"),
      ("Findings", PageText.count(Int64(report.findings.count)), nil),
    ])
    let file = PageTable.facts("File", [("File", context.file(report.path))]).markup
    let findings = PageTable(
      caption: "What is wrong", columns: [.words("Code"), .words("Where"), .words("Finding")],
      rows: report.findings.map { [.code($0.code), .init($0.path), .init($0.message)] }
    ).markup
    let nothing = Markup("p", ["class": "fine"], text: "✓ Nothing is wrong.")
    return [cards, file]
      + [context.part("findings", "Findings", [report.findings.isEmpty ? nothing : findings])]
      .compactMap { $0 }
  }
}
