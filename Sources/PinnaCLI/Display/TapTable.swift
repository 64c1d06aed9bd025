import Report

/// What is known of taps, as text for the terminal.
enum TapTable {
  /// What a test signal showed, one property a line.
  static func text(_ report: TapCheckReport) -> String {
    let delay =
      "\(report.latency.used) samples"
      + (report.latency.measured.map { ", measured \($0)" } ?? ", not proved")
    let output = report.deterministic ? "the same each time" : "varies from run to run"
    let blocks = report.dependsOnBlocks ? "1024 samples, because it depends on them" : "any size"
    let rows =
      [
        ("tap", "\(report.point):\(report.kind) \(report.name)"),
        ("signal", "\(report.layout), \(report.rate) Hz"), ("delay", delay),
        ("tail", "\(report.tail) samples"), ("output", output), ("blocks", blocks),
      ] + report.settings.map { ("setting", $0) }
    return PlainText.lines(rows.map { Figures.padded($0.0, 10) + $0.1 })
  }
}
