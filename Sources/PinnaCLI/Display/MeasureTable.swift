import Report

/// Loudness figures as a table or CSV.
enum MeasureTable {
  private static let titles = ["I LUFS", "M max", "S max", "LRA LU", "TP dBTP", "PLR"]

  /// A table for people; the true peak of each channel has a column named for the channel.
  static func text(_ reports: [MeasureReport]) -> String {
    let channels = channels(of: reports)
    let peakTitles = channels.enumerated().map { $0 == 0 ? "TP " + $1 : $1 }
    let rows = [titles + peakTitles + ["file"]] + reports.map { row($0, channels) }
    return PlainText.table(rows, right: 0..<(titles.count + channels.count))
  }

  private static func row(_ report: MeasureReport, _ channels: [String]) -> [String] {
    let levels = report.levels
    let figures = [
      Figures.fixed(levels.integrated, 2), Figures.fixed(levels.momentaryMax, 2),
      Figures.fixed(levels.shortTermMax, 2), Figures.fixed(levels.range, 1),
      Figures.fixed(levels.truePeak, 2), Figures.fixed(report.peakToLoudness, 2),
    ]
    let peaks = peaks(of: report, channels).map { $0.map { Figures.fixed($0, 1) } ?? "" }
    return figures + peaks + [report.input.path]
  }

  /// CSV after RFC 4180: a header, one column per figure, an empty field where there is none.
  static func csv(_ reports: [MeasureReport]) -> String {
    let channels = channels(of: reports)
    let names = [
      "path", "integrated", "momentary_max", "short_term_max", "range", "true_peak",
      "peak_to_loudness", "sample_peak",
    ]
    let header = names + channels.map { "true_peak_" + $0.lowercased() }
    let rows = reports.map { report in
      let levels = report.levels
      let figures = [
        levels.integrated, levels.momentaryMax, levels.shortTermMax, levels.range, levels.truePeak,
        report.peakToLoudness, levels.samplePeak,
      ]
      let all = figures + peaks(of: report, channels).map { $0 ?? nil }
      return [escaped(report.input.path)] + all.map { $0.map { Figures.fixed($0, 2) } ?? "" }
    }
    return ([header] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  /// Every channel that any of the files has, in the order of first occurrence.
  private static func channels(of reports: [MeasureReport]) -> [String] {
    var seen: Set<String> = []
    return reports.flatMap(\.channels).filter { seen.insert($0).inserted }
  }

  /// The true peaks of these channels; the outer `nil` means that the file doesn't have the
  /// channel.
  private static func peaks(of report: MeasureReport, _ channels: [String]) -> [Double??] {
    let own = Dictionary(
      zip(report.channels, report.levels.channelTruePeaks), uniquingKeysWith: { first, _ in first })
    return channels.map { own[$0] }
  }

  /// Compares scalars, not characters: a quote with an accent on it, or CR LF, is a single
  /// character.
  private static func escaped(_ text: String) -> String {
    let special = text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
    guard special else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
