/// The user's own processing of an output: one row for each tap.
struct TapSection {
  let taps: [RenderReport.Tap]

  /// The table; nothing without taps.
  var parts: [Markup] {
    guard !taps.isEmpty else { return [] }
    return [
      PageTable(
        caption: "Processing of your own, in the order in which the sound passed it",
        columns: [
          .words("Point"), .words("Kind"), .words("Name"), .words("Settings"),
          .figures("Delay, samples"), .figures("Peak before, dBFS"), .figures("after"),
          .figures("Level before, dBFS"), .figures("after"), .figures("CPU s"),
        ],
        rows: taps.map(row), isWide: true
      ).markup
    ] + taps.compactMap(settings)
  }

  /// All settings of a tap as they came out, closed up at first.
  private func settings(_ tap: RenderReport.Tap) -> Markup? {
    guard let resolved = tap.resolved else { return nil }
    return Markup(
      "details", [:],
      [
        Markup("summary", [:], [Markup("All settings of "), .name(tap.name)]),
        Markup("p", [:], [.name(resolved.joined(separator: "; "))]),
      ])
  }

  private func facts(_ tap: RenderReport.Tap) -> [String] {
    let items = tap.items.map { items in
      "for item \(items.prefix(20).map { "\($0)" }.joined(separator: ", "))"
        + (items.count > 20 ? " and \(items.count - 20) more" : "")
    }
    return tap.settings
      + [
        items, tap.tempo.map { "tempo × \(PageText.figure($0, "", 3))" },
        tap.deterministic ? nil : "varies from run to run",
      ].compactMap { $0 }
  }

  private func row(_ tap: RenderReport.Tap) -> [PageTable.Cell] {
    let measured = tap.latency.measured.map { ", measured \(PageText.count(Int64($0)))" } ?? ""
    return [
      .init(tap.point), .code(tap.kind), .init(.name(tap.name)),
      .init(facts(tap).joined(separator: "; ")),
      .init(PageText.count(Int64(tap.latency.used)) + measured),
      .init(PageText.figure(tap.before.peak, "", 1)), .init(PageText.figure(tap.after.peak, "", 1)),
      .init(PageText.figure(tap.before.rms, "", 1)), .init(PageText.figure(tap.after.rms, "", 1)),
      .init(PageText.figure(tap.cpuSeconds, "", 2)),
    ]
  }
}
