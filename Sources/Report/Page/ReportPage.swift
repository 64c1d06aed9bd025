/// Reports as one HTML page that needs nothing but itself: no network, no other file.
///
/// It is well-formed XML too, and the bytes depend on the values alone. Everything from reports is
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
