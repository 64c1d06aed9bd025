// SPDX-License-Identifier: Apache-2.0

/// Reports as one HTML page that needs nothing but itself: no network, no other file.
///
/// The page is well-formed XML too, and the bytes depend on the values alone. Everything from reports is
/// text; a content security policy allows only the page's own style and its one script, which sorts
/// and filters the overview and opens the report that a link points to.
package struct ReportPage: Sendable {
  /// The reports, in the order they are shown: ``ordered(_:)``.
  package let items: [ReportItem]
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
    self.items = ReportItem.distinct(ReportPage.ordered(items))
    self.title = title
    self.links = links
  }

  /// `items` with those that went wrong first, then those with degradations; otherwise in their order.
  package static func ordered(_ items: [ReportItem]) -> [ReportItem] {
    let graded = items.map { ($0, ItemSummary($0).grade) }
    return [ItemSummary.Grade.bad, .warning, .good].flatMap { grade in
      graded.filter { $0.1 == grade }.map(\.0)
    }
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
      footer: footer
    ).html()
  }

  /// The standards, and the meaning of before and after where something was rendered.
  private var footer: String {
    let standards = "Levels: ITU-R BS.1770-5 and EBU Tech 3341."
    let isRendered = items.contains { item in
      if case .render = item.content { return true }
      return false
    }
    guard isRendered else { return standards }
    return standards
      + " Before: the rendered programme ahead of the gain. After: the written file, read back."
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
    var tally = OutcomeTally()
    for row in rows { tally.add(row.item, row.summary) }
    // Nothing was done to files that were only measured.
    let isMeasured = summaries.allSatisfy { $0.kind == "measurement" }
    let outcome =
      isMeasured
      ? nil
      : tally.markup(SectionContext(id: "all", level: 2, links: links, isSmall: isSmall))
    let overview = OverviewSection(items: rows, isFolded: isSmall).markup
    let details = rows.map { row in
      let context = SectionContext(id: row.anchor, level: 3, links: links, isSmall: isSmall)
      return Markup(
        "details",
        [
          "class": isSmall ? "report folded" : "report", "id": row.anchor,
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
    return [outcome, overview].compactMap { $0 } + details
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
    case .measurement(let report):
      return LoudnessSheet(report: report, context: context).markup
    case .album(let report): return AlbumSheet(report: report, context: context).markup
    }
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
