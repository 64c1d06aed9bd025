// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Counts of what became of many items: failures by kind, degradations by class and code, and loudness.
package struct OutcomeTally {
  private var items = 0
  private var clean = 0
  private var failures: [String: Int] = [:]
  private var classes: [DegradationClass: Int] = [:]
  /// Done items with each code, and how often the code occurs in them.
  private var codes: [DegradationCode: (items: Int, times: Int)] = [:]
  private var before = LevelCounts()
  private var after = LevelCounts()

  /// Counts of nothing yet.
  package init() {}

  /// Counts an item of a batch.
  package mutating func add(_ entry: BatchReport.Entry) {
    let known = entry.degradations.compactMap { name, times in
      DegradationCode(rawValue: name).map { ($0, times) }
    }
    add(
      failure: entry.isDone ? nil : entry.error?.kind ?? entry.status.rawValue,
      codes: Dictionary(known, uniquingKeysWith: +))
    before.add(entry.loudness?.input)
    after.add(entry.loudness?.output)
  }

  /// Counts a report with its summary.
  mutating func add(_ item: ReportItem, _ summary: ItemSummary) {
    var codes: [DegradationCode: Int] = [:]
    if case .render(let report) = item.content {
      for entry in report.degradations { codes[entry.code, default: 0] += 1 }
    }
    add(failure: summary.grade == .bad ? summary.problemKind ?? summary.status : nil, codes: codes)
    let levels = [summary.loudness] + summary.outputs.map(\.loudness)
    for level in levels {
      before.add(level.before)
      after.add(level.after)
    }
  }

  private mutating func add(failure: String?, codes found: [DegradationCode: Int]) {
    items += 1
    // A failed item left no output, so that its remarks are about nothing that anyone hears.
    if let failure { return failures[failure, default: 0] += 1 }
    if found.isEmpty { clean += 1 }
    for kind in Set(found.keys.map(\.degradationClass)) { classes[kind, default: 0] += 1 }
    for (code, times) in found {
      let old = codes[code] ?? (0, 0)
      codes[code] = (old.items + 1, old.times + times)
    }
  }

  /// The section for a page of several items.
  func markup(_ context: SectionContext) -> Markup? {
    let figure = LevelHistogram(before: before, after: after, id: context.id + "-levels").markup
    return context.part(
      "outcome", "Outcome",
      [context.cards(cards), figure, table].compactMap { $0 })
  }

  private var cards: [(name: String, value: String, note: String?)] {
    func card(_ name: String, _ count: Int, _ note: String) -> (String, String, String?) {
      (name, PageText.count(Int64(count)), note)
    }
    return [card("Failed", failures.values.reduce(0, +), "of \(PageText.count(items, "item"))")]
      + DegradationClass.allCases.map { found in
        card(OutcomeTally.title(found), classes[found] ?? 0, OutcomeTally.note(found))
      } + [card("Nothing to report", clean, "done as asked")]
  }

  /// The name of a class as a heading.
  private static func title(_ found: DegradationClass) -> String {
    found.rawValue.prefix(1).uppercased() + found.rawValue.dropFirst()
  }

  private static func note(_ found: DegradationClass) -> String {
    switch found {
    case .damage: return "something is missing or replaced"
    case .doubt: return "something was assumed"
    case .level: return "changed by more than a gain"
    case .loss: return "the output lacks something"
    }
  }

  /// Failures by kind, then codes, the most frequent first.
  private var table: Markup? {
    let failed = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { kind, count -> [PageTable.Cell] in
        let number = PageText.count(Int64(count))
        return [.code(kind), .init("failure"), .init(number), .init(number)]
      }
    let degraded = codes.sorted {
      ($1.value.items, $0.key.rawValue) < ($0.value.items, $1.key.rawValue)
    }
    .map { code, count -> [PageTable.Cell] in
      [
        .code(code.rawValue), .init(code.degradationClass.rawValue),
        .init(PageText.count(Int64(count.items))), .init(PageText.count(Int64(count.times))),
      ]
    }
    guard !failed.isEmpty || !degraded.isEmpty else { return nil }
    return PageTable(
      caption: "Failures and degradations by code",
      columns: [.words("Code"), .words("Class"), .figures("Items"), .figures("Times")],
      rows: failed + degraded
    ).markup
  }
}

/// Numbers of items by their loudness, rounded to 1 LU.
struct LevelCounts {
  /// Below it is what a meter calls silence, above it nothing that plays.
  private static let range = -70...10

  /// Items by their level, rounded to a whole number of LUFS.
  private(set) var steps: [Int: Int] = [:]

  /// Counts a level in LUFS; what lies out of the range counts at its end.
  mutating func add(_ level: Double?) {
    guard let level, level.isFinite else { return }
    let range = LevelCounts.range
    let step = Int(max(-100, min(100, level.rounded())))
    steps[min(range.upperBound, max(range.lowerBound, step)), default: 0] += 1
  }

  /// How many levels there are.
  var total: Int { steps.values.reduce(0, +) }

  /// The level that half of the items don't exceed.
  var median: Int? {
    var rest = (total + 1) / 2
    return steps.keys.sorted().first { step in
      rest -= steps[step] ?? 0
      return rest <= 0
    }
  }
}

/// How many items have each loudness, before and after.
struct LevelHistogram {
  let before: LevelCounts
  let after: LevelCounts
  /// Makes ids unique.
  let id: String

  /// Fewer levels are read faster in the table.
  private static let least = 3
  private static let units = 960.0
  private static let top = 24.0
  private static let height = 150.0

  /// The figure; `nil` for a few levels.
  var markup: Markup? {
    guard after.total >= LevelHistogram.least else { return nil }
    let steps = before.steps.merging(after.steps, uniquingKeysWith: max)
    guard let low = steps.keys.min(), let high = steps.keys.max(), let most = steps.values.max()
    else { return nil }
    // A single step would fill the whole width and look like a wall.
    let range = min(low - 1, high - 10)...(high + 1)
    let axis = LevelHistogram.axis(most)
    var panel = PlotSheet.Panel(
      top: LevelHistogram.top, height: LevelHistogram.height, axis: axis, unit: "items")
    panel.curves = [
      Markup("path", ["class": "bar", "d": bars(after, range, axis)]),
      Markup("path", ["class": "before", "d": outline(before, range, axis)]),
    ]
    let sheet = PlotSheet(
      units: LevelHistogram.units, id: id, title: "Items by loudness, before and after",
      description: description, height: LevelHistogram.top + LevelHistogram.height + PlotSheet.foot,
      ticks: ticks(range), panels: [panel], across: "Integrated loudness, rounded, LUFS")
    let key = PlotKey(entries: [
      .init(label: "after", look: "bar", area: "bar", hasLine: false),
      .init(label: "before", look: "before"),
    ])
    return Markup("figure", [:], [Markup("figcaption", [:], [key.markup]), sheet.markup])
  }

  /// Whole numbers of items with at most six ticks.
  private static func axis(_ most: Int) -> PlotAxis {
    var power = 1
    while most / power > 50 { power *= 10 }
    let step = [1, 2, 5, 10].map { $0 * power }.first { most / $0 <= 5 } ?? 10 * power
    let last = (most + step - 1) / step * step
    return PlotAxis(
      first: 0, last: Double(last), step: Double(step), start: height, end: 0)
  }

  private func place(_ step: Int, _ range: ClosedRange<Int>) -> Double {
    Double(step - range.lowerBound) / Double(range.count) * LevelHistogram.units
  }

  private func bars(_ counts: LevelCounts, _ range: ClosedRange<Int>, _ axis: PlotAxis) -> String {
    let bottom = SVGText.coordinate(axis.position(0))
    return range.compactMap { step in
      guard let count = counts.steps[step] else { return nil }
      let (left, right) = (place(step, range) + 1, place(step + 1, range) - 1)
      return
        "M\(SVGText.coordinate(left)) \(bottom)V\(SVGText.coordinate(axis.position(Double(count))))"
        + "H\(SVGText.coordinate(right))V\(bottom)Z"
    }.joined()
  }

  private func outline(_ counts: LevelCounts, _ range: ClosedRange<Int>, _ axis: PlotAxis)
    -> String
  {
    guard counts.total > 0 else { return "" }
    let bottom = SVGText.coordinate(axis.position(0))
    return "M0 \(bottom)"
      + range.map { step in
        let y = SVGText.coordinate(axis.position(Double(counts.steps[step] ?? 0)))
        return "V\(y)H\(SVGText.coordinate(place(step + 1, range)))"
      }.joined() + "V\(bottom)"
  }

  private func ticks(_ range: ClosedRange<Int>) -> [(name: String, place: Double, isMajor: Bool)] {
    let every = [1, 2, 5, 10].first { range.count / $0 <= 16 } ?? 20
    return range.filter { $0 % every == 0 }.map { step in
      (
        SVGText.figure(Double(step), 0),
        (place(step, range) + place(step + 1, range)) / 2 / LevelHistogram.units,
        step % (2 * every) == 0
      )
    }
  }

  private var description: String {
    func words(_ counts: LevelCounts) -> String {
      guard let low = counts.steps.keys.min(), let high = counts.steps.keys.max(),
        let median = counts.median
      else { return "unknown" }
      return "\(PageText.count(counts.total, "level")) from \(SVGText.figure(Double(low), 0)) to "
        + "\(SVGText.figure(Double(high), 0)) LUFS, half of them up to "
        + "\(SVGText.figure(Double(median), 0)) LUFS"
    }
    return "Before: \(words(before)). After: \(words(after))."
  }
}
