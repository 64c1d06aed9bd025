/// Reports as one HTML page that needs nothing but itself: no network, no other file.
///
/// The page is well-formed XML too, and the bytes depend on the values alone. Everything from reports is
/// text; a content security policy allows only the page's own style and its one script, which sorts
/// the overview and opens the report that a link points to.
package struct ReportPage: Sendable {
  /// The reports, in the order they are shown.
  package var items: [ReportItem]
  /// Heading; `nil` for the name of a single report, or the number of several.
  package var title: String?
  /// How files are linked to.
  package var links: PageLinks
  /// Links to pages that this one belongs to: their names and addresses.
  package var navigation: [(name: String, address: String)] = []

  /// Most reports whose pictures have all points.
  private static let mostLarge = 12
  /// Most reports that are open from the beginning.
  private static let mostOpen = 3

  /// A page of `items`.
  package init(items: [ReportItem], title: String? = nil, links: PageLinks = .none) {
    self.items = ReportItem.distinct(items)
    self.title = title
    self.links = links
  }

  /// The `id` of the report with this number, from 0, on a page of several.
  package static func anchor(_ number: Int) -> String { "r\(number + 1)" }

  /// The whole file.
  package func html() -> String {
    let summaries = items.map(ItemSummary.init)
    let name = title ?? (items.count == 1 ? items[0].name : PageText.count(items.count, "report"))
    let isSingle = items.count == 1
    let main = isSingle ? single(summaries) : several(summaries)
    let subtitle =
      isSingle
      ? "Pinna, \(summaries[0].kind) report"
      : "Pinna, reports: " + ItemSummary.statuses(summaries)
    return PageFrame(
      name: name, subtitle: subtitle, navigation: navigation, main: main, hasScript: !isSingle,
      footer:
        "Levels: ITU-R BS.1770-5 and EBU Tech 3341. Before: the rendered programme ahead "
        + "of the gain. After: the written file, read back."
    ).html()
  }

  private func single(_ summaries: [ItemSummary]) -> [Markup] {
    content(
      items[0], summaries[0], SectionContext(id: "r1", level: 2, links: links, isSmall: false))
  }

  private func several(_ summaries: [ItemSummary]) -> [Markup] {
    guard !items.isEmpty else { return [Markup("p", text: "There are no reports.")] }
    let isSmall = items.count > ReportPage.mostLarge
    let rows = zip(items, summaries).enumerated().map { index, pair in
      (item: pair.0, summary: pair.1, anchor: ReportPage.anchor(index))
    }
    let overview = Markup(
      "section", ["aria-labelledby": "overview"],
      [Markup("h2", ["id": "overview"], text: "Overview"), OverviewTable(items: rows).markup])
    let details = rows.map { row in
      let context = SectionContext(id: row.anchor, level: 3, links: links, isSmall: isSmall)
      return Markup(
        "details",
        [
          "class": "report", "id": row.anchor,
          "open": items.count <= ReportPage.mostOpen ? "open" : nil,
        ],
        [
          Markup(
            "summary", [:],
            [
              Markup("h2", [:], [.name(row.item.name)]), Markup(" "),
              SectionContext.badge(row.summary),
            ])
        ] + content(row.item, row.summary, context) + [
          Markup(
            "p", ["class": "back"],
            [Markup("a", ["href": "#overview"], text: "Back to the overview")])
        ])
    }
    return [overview] + details
  }

  private func content(
    _ item: ReportItem, _ summary: ItemSummary, _ context: SectionContext
  ) -> [Markup] {
    switch item.content {
    case .render(let report):
      return RenderSection(report: report, summary: summary, context: context).markup
    case .comparison(let report):
      return ComparisonSection(report: report, summary: summary, context: context).markup
    case .golden(let report):
      return GoldenSection(report: report, summary: summary, context: context).markup
    case .validation(let report):
      return ValidationSection(report: report, summary: summary, context: context).markup
    }
  }
}

/// The table of all reports of a page, one a row, each linked to its part.
struct OverviewTable {
  let items: [(item: ReportItem, summary: ItemSummary, anchor: String)]

  /// The table.
  var markup: Markup {
    PageTable(
      caption: "All reports",
      columns: [
        .words("Name"), .words("Kind"), .words("Status"), .figures("Exit"),
        .figures("Loudness, LUFS"), .figures("True peak, dBTP"), .figures("Remarks"),
        .figures("Length"), .figures("Speed"),
      ], rows: items.flatMap { [row($0)] + outputs($0) }, isSortable: true
    ).markup
  }

  private func row(
    _ entry: (item: ReportItem, summary: ItemSummary, anchor: String)
  ) -> [PageTable.Cell] {
    let summary = entry.summary
    let order = summary.grade == .bad ? "0" : summary.grade == .warning ? "1" : "2"
    return [
      .init(
        Markup("a", ["href": "#" + entry.anchor], [.name(entry.item.name)]), key: entry.item.name),
      .init(summary.kind),
      .init(SectionContext.badge(summary), key: order + summary.status), .init("\(summary.exit)"),
      change(summary.loudness), change(summary.truePeak),
      .init(PageText.count(Int64(summary.remarks)), key: "\(summary.remarks)"),
      .init(PageText.duration(summary.duration), key: number(summary.duration)),
      .init(
        summary.speed.map { PageText.figure($0, "×", 0) } ?? "–", key: number(summary.speed)),
    ]
  }

  /// A row for each of several outputs.
  private func outputs(
    _ entry: (item: ReportItem, summary: ItemSummary, anchor: String)
  ) -> [[PageTable.Cell]] {
    entry.summary.outputs.enumerated().map { index, output in
      let name = entry.item.name + " → " + output.name
      return [
        .init(
          Markup("a", ["href": "#\(entry.anchor)-o\(index + 1)-output"], [.name(name)]), key: name),
        .init("output"), .init("", key: ""), .init("", key: ""), change(output.loudness),
        change(output.truePeak),
        .init(PageText.count(Int64(output.remarks)), key: "\(output.remarks)"),
        .init(PageText.duration(output.duration), key: number(output.duration)),
        .init("", key: ""),
      ]
    }
  }

  private func change(_ levels: (before: Double?, after: Double?)) -> PageTable.Cell {
    guard levels.before != nil || levels.after != nil else { return .init("–", key: "") }
    return .init(
      PageText.figure(levels.before, "", 1) + " → " + PageText.figure(levels.after, "", 1),
      key: number(levels.after))
  }

  private func number(_ value: Double?) -> String {
    value.map { $0.isFinite ? SVGText.fixed($0, 3) : "" } ?? ""
  }
}

/// A run over goldens.
struct GoldenSection {
  let report: GoldenReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts; failures come first.
  var markup: [Markup] {
    let failed = report.entries.filter { $0.status == .failed }
    let all = failed + report.entries.filter { $0.status != .failed }
    let table = PageTable(
      caption: "Goldens, failed ones first",
      columns: [
        .words("Golden"), .words("Status"), .words("What differs"), .words("What it guards"),
        .figures("Seconds"),
      ],
      rows: all.map { entry in
        let notes = entry.failures + entry.notes
        let isFailed = entry.status == .failed
        return [
          .init(entry.id),
          .init(
            Markup(
              "span", ["class": isFailed ? "badge bad" : "badge good"],
              [
                Markup("span", ["aria-hidden": "true"], text: isFailed ? "✗ " : "✓ "),
                Markup(entry.status.rawValue),
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

/// The section with the findings of `validate` in a file.
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
