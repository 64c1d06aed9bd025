import Report

/// Loudness figures as a table or CSV.
enum MeasureTable {
  private static let titles = ["I LUFS", "M max", "S max", "LRA LU", "TP dBTP", "PLR", "channels"]

  static func text(_ reports: [MeasureReport]) -> String {
    let rows = [titles + ["file"]] + reports.map { figures($0) + [$0.input.path] }
    let widths = (0..<titles.count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { Figures.padded($0, $1, left: true) }
      return (cells + [row[titles.count]]).joined(separator: "  ") + "\n"
    }.joined()
  }

  static func csv(_ reports: [MeasureReport]) -> String {
    let names = [
      "path", "integrated", "momentary_max", "short_term_max", "range", "true_peak",
      "peak_to_loudness", "channel_true_peaks",
    ]
    let rows = reports.map { report in [escaped(report.input.path)] + figures(report) }
    return ([names] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func figures(_ report: MeasureReport) -> [String] {
    let levels = report.levels
    let peaks = zip(report.channels, levels.channelTruePeaks).map {
      "\($0) \(Figures.fixed($1, 1))"
    }
    return [
      Figures.fixed(levels.integrated, 2), Figures.fixed(levels.momentaryMax, 2),
      Figures.fixed(levels.shortTermMax, 2), Figures.fixed(levels.range, 1),
      Figures.fixed(levels.truePeak, 2), Figures.fixed(report.peakToLoudness, 2),
      peaks.joined(separator: " "),
    ]
  }

  private static func escaped(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
