import Report

/// HRTF sets as text for the terminal.
enum HRTFTable {
  /// One line for each set.
  static func text(_ report: HRTFListReport) -> String {
    let rows =
      [["set", "directions", "taps", "Hz", "from"]]
      + report.sets.map { set in
        [set.id] + [set.directions, set.taps, set.rate].map { $0.map(String.init) ?? "-" }
          + [set.refusal?.message ?? set.path ?? "built in"]
      }
    return PlainText.table(rows, right: 1..<4)
  }

  /// The properties of a set, one a line.
  static func text(_ report: HRTFReport) -> String {
    let field = report.diffuseField
    let milliseconds = Double(report.taps) / Double(report.rate) * 1000
    let delays = report.interauralDelayMicroseconds
    let delayUnit = report.delayUnit == "none" ? "in the responses" : "in \(report.delayUnit)"
    let asymmetry =
      report.asymmetry.map {
        "\(Figures.fixed($0.levelDB, 1)) dB, \(Figures.fixed($0.delayMicroseconds, 0)) µs "
          + "between the sides as measured"
      } ?? "unknown: too few directions were measured on both sides"
    let lines = [
      ("set", report.id + (report.path.map { " (\($0))" } ?? " (built in)")),
      ("from", report.citation),
      (
        "directions",
        "\(report.directions) places of \(report.measurements) measurements, elevation "
          + "\(Figures.fixed(report.elevation.lowest, 0))…"
          + "\(Figures.fixed(report.elevation.highest, 0))°"
      ),
      (
        "responses",
        "\(report.taps) taps at \(report.rate) Hz (\(Figures.fixed(milliseconds, 1)) ms)"
      ),
      ("delays", delayUnit),
      ("ITD", "\(Figures.fixed(delays.lowest, 0))…\(Figures.fixed(delays.highest, 0)) µs"),
      (
        "head",
        "delays as a sphere of \(Figures.fixed(delays.headRadiusCm, 2)) cm, an average head of "
          + "\(Figures.fixed(delays.headCircumferenceCm, 1)) cm around; played × "
          + Figures.fixed(delays.scale, 3)
      ), ("asymmetry", asymmetry),
      ("measured", level(field, field.measuredDB)), ("played", level(field, field.processedDB)),
      ("sha256", report.sha256),
    ].map(line)
    let steps = report.steps.map { step in
      line(step.name, "\(step.applied ? "applied" : "no     ")  \(step.reason)")
    }
    return PlainText.lines(lines + steps)
  }

  /// How a set is fitted to a head, and the flags that do it; `set` is how it was named.
  static func text(_ report: HRTFFitReport, set: String) -> String {
    let scale = Figures.fixed(report.scale, 3)
    let path = set.contains(" ") ? "'\(set)'" : set
    let name = set == "kemar" ? "" : "--hrtf \(path) "
    let lines = [
      ("set", "\(report.id): delays as a sphere of \(Figures.fixed(report.setRadiusCm, 2)) cm"),
      ("head", "delays as a sphere of \(Figures.fixed(report.headRadiusCm, 2)) cm"),
      ("delays", "× \(scale)"), ("flags", "\(name)--itd-scale \(scale)"),
    ]
    return PlainText.lines(lines.map(line))
  }

  /// The differences between two sets, one a line.
  static func text(_ report: HRTFComparisonReport) -> String {
    let (delay, ild) = (report.delayMicroseconds, report.interauralLevelDB)
    let spectrum = report.spectrumDB
    let lines = [
      ("sets", "\(report.first.id) and \(report.second.id)"),
      (
        "places",
        "\(report.places) from \(Figures.fixed(report.lowestElevation, 0))° upwards, "
          + "250 Hz to \(Figures.fixed(report.highestFrequencyHz / 1000, 1)) kHz"
      ),
      ("ITD", "median \(Figures.fixed(delay.typical, 1)), 95 % \(high(delay, 1)) µs"),
      ("ILD", "mean \(Figures.fixed(ild.typical, 2)), 95 % \(high(ild, 2)) dB"),
      ("spectrum", "mean \(Figures.fixed(spectrum.typical, 2)), 95 % \(high(spectrum, 2)) dB"),
      ("level", "\(Figures.fixed(report.levelDB, 2)) dB, second above first"),
      ("largest spectrum", place(report.largestSpectrum)),
      ("largest ITD", place(report.largestDelay)),
    ]
    return PlainText.lines(lines.map(line))
  }

  private static func high(_ spread: HRTFComparisonReport.Spread, _ digits: Int) -> String {
    Figures.fixed(spread.percentile95, digits)
  }

  private static func place(_ place: HRTFComparisonReport.Place) -> String {
    "azimuth \(Figures.fixed(place.azimuth, 1))°, elevation \(Figures.fixed(place.elevation, 1))°: "
      + "\(Figures.fixed(place.delayMicroseconds, 1)) µs, "
      + "ILD \(Figures.fixed(place.interauralLevelDB, 2)) dB, "
      + "spectrum \(Figures.fixed(place.spectrumDB, 2)) dB"
  }

  private static func level(_ field: HRTFReport.DiffuseField, _ levels: [Double]) -> String {
    "diffuse field varies by \(Figures.fixed(field.range(of: levels), 1)) dB over 100 Hz…16 kHz, "
      + "50 Hz at \(Figures.fixed(field.bass(of: levels), 1)) dB (thirds of an octave)"
  }

  private static func line(_ name: String, _ value: String) -> String {
    Figures.padded(name, 18) + value
  }
}
