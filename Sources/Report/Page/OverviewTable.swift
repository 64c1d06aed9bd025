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
