// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The section with all reports of a page: a table that can be sorted and filtered, and the same figures as a CSV file.
struct OverviewSection {
  let items: [OverviewTable.Item]
  /// Whether closed reports aren't shown below the table: hundreds of them would make the page endless.
  let isFolded: Bool

  /// The section.
  var markup: Markup {
    let hint = isFolded ? "Choose a name to see its report below the table. " : ""
    return Markup(
      "section", ["aria-labelledby": "overview"],
      [
        Markup("h2", ["id": "overview"], text: "Overview"), OverviewTable(items: items).markup,
        Markup("p", ["class": "note"], [Markup(hint), download]),
      ])
  }

  /// The file lies in the link itself, so that the page still needs nothing but itself.
  private var download: Markup {
    let table = PageLinks.encoded(ReportCSV.text(items.map(\.item)))
    return Markup(
      "a", ["href": "data:text/csv;charset=utf-8," + table, "download": "pinna.csv"],
      text: "Save the figures as CSV")
  }
}

/// The table of all reports of a page, one a row, each linked to its part. Columns that would say nothing are left out.
struct OverviewTable {
  typealias Item = (item: ReportItem, summary: ItemSummary, anchor: String)

  let items: [Item]

  /// Content of one row: a report, or one of its several outputs.
  private struct Row {
    let name: String
    let anchor: String
    let kind: String
    /// `nil` for an output, whose status is that of its report.
    let summary: ItemSummary?
    let figures: ItemSummary.Output
    let state: String
  }

  /// A column with what it shows of a row.
  private typealias Column = (head: PageTable.Column, cell: (Row) -> PageTable.Cell)

  /// The table.
  var markup: Markup {
    let rows = items.flatMap(OverviewTable.rows)
    let columns = columns
    return PageTable(
      caption: "All reports", columns: columns.map(\.head),
      rows: rows.map { row in columns.map { $0.cell(row) } }, isSortable: true,
      states: rows.map(\.state)
    ).markup
  }

  private static func rows(_ entry: Item) -> [Row] {
    let summary = entry.summary
    let state = state(summary)
    let whole = ItemSummary.Output(
      name: entry.item.name, loudness: summary.loudness, truePeak: summary.truePeak,
      dialogue: summary.dialogue, gainDB: summary.gainDB, limiterDB: summary.limiterDB,
      remarks: summary.remarks,
      duration: summary.duration)
    let outputs = summary.outputs.enumerated().map { index, output in
      Row(
        name: entry.item.name + " → " + output.name, anchor: "\(entry.anchor)-o\(index + 1)-output",
        kind: "output", summary: nil, figures: output, state: state)
    }
    return [
      Row(
        name: entry.item.name, anchor: entry.anchor, kind: summary.kind, summary: summary,
        figures: whole, state: state)
    ] + outputs
  }

  /// The words that the filter chooses by.
  private static func state(_ summary: ItemSummary) -> String {
    if summary.grade == .bad { return "failed" }
    return summary.classes.isEmpty
      ? "clean" : summary.classes.map(\.rawValue).joined(separator: " ")
  }

  private var columns: [Column] {
    let kinds = Set(items.map(\.summary.kind))
    let hasOutputs = items.contains { !$0.summary.outputs.isEmpty }
    let kind: [Column] =
      kinds.count > 1 || hasOutputs ? [(.words("Kind"), { .init($0.kind) })] : []
    let speed: [Column] =
      items.contains { $0.summary.speed != nil } ? [(.figures("Speed"), OverviewTable.speed)] : []
    return [(.words("Name"), OverviewTable.name)] + kind + figures + speed
  }

  private var figures: [Column] {
    // Nothing was done to files that were only measured.
    let isMeasured = items.allSatisfy { $0.summary.kind == "measurement" }
    let status: Column = (.words("Status"), OverviewTable.status)
    let exit: Column = (.figures("Exit"), { .init($0.summary.map { "\($0.exit)" } ?? "") })
    let levels: [Column] = [
      (.figures("Loudness, LUFS"), { OverviewTable.change($0.figures.loudness) }),
      (.figures("True peak, dBTP"), { OverviewTable.change($0.figures.truePeak) }),
    ]
    let work: [Column] = [
      (.figures("Gain, dB"), { OverviewTable.decibels($0.figures.gainDB) }),
      (.figures("Limiter, dB"), { OverviewTable.decibels($0.figures.limiterDB) }),
    ]
    let hasDialogue = items.contains { item in
      item.summary.dialogue != nil || item.summary.outputs.contains { $0.dialogue != nil }
    }
    let dialogue: [Column] =
      hasDialogue
      ? [
        (
          .figures("Dialogue, LUFS"),
          { OverviewTable.change($0.figures.dialogue ?? (nil, nil)) }
        )
      ] : []
    return (isMeasured ? [status] : [status, exit]) + levels + dialogue
      + (isMeasured ? [] : work) + facts
  }

  private var facts: [Column] {
    [
      (
        .figures("Remarks"),
        { .init(PageText.count(Int64($0.figures.remarks)), key: "\($0.figures.remarks)") }
      ),
      (
        .figures("Length"),
        {
          .init(
            PageText.duration($0.figures.duration), key: OverviewTable.number($0.figures.duration))
        }
      ),
    ]
  }

  private static func name(_ row: Row) -> PageTable.Cell {
    .init(Markup("a", ["href": "#" + row.anchor], [.name(row.name)]), key: row.name)
  }

  private static func status(_ row: Row) -> PageTable.Cell {
    guard let summary = row.summary else { return .init("", key: "") }
    let order = summary.grade == .bad ? "0" : summary.grade == .warning ? "1" : "2"
    return .init(SectionContext.badge(summary), key: order + summary.status)
  }

  private static func speed(_ row: Row) -> PageTable.Cell {
    guard let summary = row.summary else { return .init("", key: "") }
    return .init(
      summary.speed.map { PageText.figure($0, "×", 0) } ?? "–", key: number(summary.speed))
  }

  private static func change(_ levels: (before: Double?, after: Double?)) -> PageTable.Cell {
    guard levels.before != nil || levels.after != nil else { return .init("–", key: "") }
    // A measurement, or a render that failed, has nothing after.
    guard levels.after != nil else {
      return .init(PageText.figure(levels.before, "", 1), key: number(levels.before))
    }
    return .init(
      PageText.figure(levels.before, "", 1) + " → " + PageText.figure(levels.after, "", 1),
      key: number(levels.after))
  }

  private static func decibels(_ value: Double?) -> PageTable.Cell {
    .init(PageText.figure(value, "", 1), key: number(value))
  }

  private static func number(_ value: Double?) -> String {
    value.map { $0.isFinite ? SVGText.fixed($0, 3) : "" } ?? ""
  }
}
