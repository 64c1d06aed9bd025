// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Report

/// The page of a comparison: absolute figures and curves of both files.
@Suite struct ComparisonSectionTests {
  private func read(_ report: ComparisonReport) throws -> MarkupReader {
    try MarkupReader(ReportPage(items: [ReportItem(.comparison(report))]).html())
  }

  /// A comparison of two files of 6 s, whose loudness is `old` and `new` all the time.
  private func measured(_ old: Double?, _ new: Double?) -> ComparisonReport {
    var report = SampleReports.comparison()
    func levels(_ loudness: Double?) -> RenderReport.Levels {
      .init(
        integrated: loudness, momentaryMax: nil, shortTermMax: nil, range: nil,
        truePeak: loudness.map { $0 + 12 }, channelTruePeaks: [], samplePeak: nil, short: false)
    }
    report.reference.levels = levels(old)
    report.test.levels = levels(new)
    func loudness(_ level: Double?) -> ComparisonReport.Curves.Loudness {
      .init(
        momentary: .init(highest: [Double?](repeating: level, count: 60)),
        shortTerm: .init(
          highest: [Double?](repeating: nil, count: 29)
            + [Double?](
              repeating: level, count: 31)))
    }
    var curves = ComparisonReport.Curves(
      intervalSeconds: 0.1, reference: loudness(old), test: loudness(new))
    curves.differenceDB = .init(highest: [Double?](repeating: -60, count: 60))
    curves.spectrum = .init(
      frequenciesHz: [100, 125, 160, 200], referenceDB: [-30, -31, -32, -33],
      testDB: [-40, -41, -42, nil])
    report.curves = curves
    return report
  }

  @Test("the cards have the loudness and the true peak of both files, and the gain of the test")
  func cardsHaveAbsoluteFigures() throws {
    var report = measured(-23, -16)
    let values = try read(report).all("dd").filter { $0.attributes["class"] == "value" }.map(\.text)
    #expect(values.contains("−23.0 → −16.0") && values.contains("−11.0 → −4.0"))
    #expect(!values.contains("−7.00 dB"))
    report.matchedGainDB = -7
    report.ignored = ["tags"]
    let texts = try read(report).all("dd").map(\.text)
    #expect(texts.contains("−7.00 dB") && texts.contains("without tags"))
  }

  @Test("loudness, difference and spectrum of both files are drawn with their units")
  func curvesAreDrawn() throws {
    let page = try read(measured(-23, -16))
    let titles = page.all("title").map(\.text)
    for title in [
      "Loudness of both files over time", "Difference of both files over time",
      "Long-term spectrum, reference and test",
    ] {
      #expect(titles.contains(title), "\(title)")
    }
    let units = page.all("text").filter { $0.attributes["class"] == "unit" }.map(\.text)
    #expect(units == ["LUFS", "dBFS", "dBFS"])
    #expect(
      page.all("desc").contains {
        $0.text == "Reference: −23.0 to −23.0 LUFS. Test: −16.0 to −16.0 LUFS."
      })
    let curves = page.all("path").compactMap { $0.attributes["class"] }
    #expect(curves.count { $0 == "before" } == 2 && curves.contains("difference"))
    #expect(page.all("text").count { $0.text == "Time, m:ss with tenths" } == 0)
    #expect(page.all("text").count { $0.text == "Time, m:ss" } == 2)
  }

  @Test("comparisons without curves, of silence and with absurd figures make pages")
  func missingCurvesMakePages() throws {
    #expect(try read(SampleReports.comparison()).all("title").count == 2)
    #expect(try read(measured(nil, nil)).all("title").contains { $0.text.hasPrefix("Difference") })
    for value in [Double.nan, .infinity, -1e300, 1e300] {
      var report = measured(value, -16)
      report.curves?.intervalSeconds = value
      report.curves?.differenceDB = .init(highest: [value, -60, value])
      report.matchedGainDB = value
      let html = ReportPage(items: [ReportItem(.comparison(report))]).html()
      _ = try MarkupReader(html)
      #expect(!html.contains("nan") && !html.contains("inf\"") && !html.contains("inf "))
    }
  }

  /// Figures 12 pixels high need more than that from one to the next.
  @Test(
    "figures of the loudness scale stand at least 14 pixels apart", arguments: [1.0, 9, 25, 59])
  func ticksStandApart(span: Double) throws {
    let page = try read(measured(-20, -20 - span))
    let places = page.all("text").filter { $0.attributes["x"] == "-8" }
      .prefix { $0.text != "dBFS" }.dropFirst().compactMap {
        $0.attributes["y"].flatMap(Double.init)
      }
    #expect(places.count >= 3)
    for (one, other) in zip(places, places.dropFirst()) { #expect(abs(one - other) >= 14) }
  }
}
