// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Report

/// The page is one well-formed file that shows the reports' contents as text only, never as markup.
@Suite struct ReportPageTests {
  private func read(_ items: [ReportItem], links: PageLinks = .none) throws -> MarkupReader {
    try MarkupReader(ReportPage(items: items, links: links).html())
  }

  @Test("names of files stay text in the report page", arguments: SampleReports.hostile)
  func namesStayText(name: String) throws {
    let items =
      SampleReports.all(seconds: 30, name: name) + [
        ReportItem(.init(.failure), name: name),
        ReportItem(SampleReports.analysed(seconds: 30, name: name)),
      ]
    let html = ReportPage(items: items, title: name).html()
    let page = try MarkupReader(html)
    #expect(page.all("script").count == 1 && page.all("style").count == 1)
    #expect(page.all("h1").first?.text.isEmpty == name.isEmpty)
    #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    for scalar: Unicode.Scalar in ["\u{202E}", "\u{2066}", "\u{FFFE}"] {
      #expect(!html.unicodeScalars.contains(scalar))
    }
    let allowed: Set = ["onload", "href", "src", "style", "action"]
    for element in page.elements {
      for attribute in element.attributes.keys where allowed.contains(attribute) {
        #expect(attribute == "href" && element.name == "a", "\(element.name) \(attribute)")
      }
    }
    if name.hasPrefix("</title>") {
      #expect(page.all("bdi").contains { $0.text == name })
    }
  }

  @Test(
    "every id in a page of 1 to 40 reports is unique, and every link leads to one",
    arguments: [1, 2, 5, 40])
  func everyIdIsUniqueAndEveryLinkLeadsSomewhere(count: Int) throws {
    let some =
      SampleReports.all(seconds: 20) + [ReportItem(SampleReports.analysed(seconds: 20))]
    let page = try read((0..<count).map { some[$0 % some.count] })
    let ids = page.values("id")
    #expect(Set(ids).count == ids.count)
    let links = page.all("a").compactMap { $0.attributes["href"] }
    let anchors = links.filter { !$0.hasPrefix("data:text/csv;") }
    #expect(links.count - anchors.count == (count == 1 ? 0 : 1))
    #expect(anchors.contains("#main") && (count == 1 || anchors.contains("#r\(count)")))
    for anchor in anchors { #expect(ids.contains(String(anchor.dropFirst())), "\(anchor)") }
    for name in page.values("aria-labelledby").flatMap({ $0.split(separator: " ") }) {
      #expect(ids.contains(String(name)), "\(name)")
    }
  }

  @Test("headings skip no level, tables have captions, and four pictures have descriptions")
  func headingsTablesAndPicturesCanBeReadAloud() throws {
    let page = try read(SampleReports.all(seconds: 200))
    var level = 0
    for element in page.elements where ["h1", "h2", "h3", "h4"].contains(element.name) {
      let next = element.name.last?.wholeNumberValue ?? 0
      #expect(next <= level + 1, "\(element.text)")
      level = next
    }
    #expect(page.all("h1").count == 1 && page.all("main").count == 1)
    #expect(page.all("html").first?.attributes["lang"] == "en")
    #expect(page.all("caption").count == page.all("table").count)
    #expect(page.all("th").allSatisfy { $0.attributes["scope"] != nil })
    let pictures = page.all("svg").filter { $0.attributes["role"] == "img" }
    #expect(pictures.count == 4, "loudness, spectrum, timeline and one layer")
    #expect(page.all("desc").allSatisfy { $0.text.count > 20 } && page.all("desc").count == 4)
  }

  @Test(
    "the page's policy allows its script by hash, and a page of one report has no script",
    .tags(.system), .fullRunOnly)
  func thePolicyAllowsTheScriptThatIsThereAndNothingElse()
    throws
  {
    let several = try read(SampleReports.all(seconds: 20))
    let source = try #require(several.all("script").first?.text)
    let digest = try ScriptDigest.of(source)
    let policy = try #require(several.values("content").first { $0.contains("default-src") })
    #expect(
      policy.contains("default-src 'none'") && policy.contains("script-src '\(digest)'"))
    let single = try read([ReportItem(SampleReports.render(seconds: 20))])
    #expect(single.all("script").isEmpty)
    #expect(single.values("content").allSatisfy { !$0.contains("script-src") })
  }

  @Test("the page of a film of two hours has between 50,000 and 1,000,000 bytes")
  func aFilmStaysBelowAMegabyte() throws {
    let film = ReportItem(SampleReports.render(seconds: 7200))
    let html = ReportPage(items: [film]).html()
    #expect(html.utf8.count < 1_000_000, "\(html.utf8.count)")
    #expect(html.utf8.count > 50_000, "the curves are there")
    _ = try MarkupReader(html)
  }

  @Test(
    "the page of 200 films has less than 4,000,000 bytes, with all films closed", .tags(.slow),
    .fullRunOnly)
  func twoHundredFilmsStayBelowFourMegabytes() throws {
    let film = SampleReports.render(seconds: 7200)
    let items = (0..<200).map { ReportItem(film, name: "film \($0).mkv") }
    let html = ReportPage(items: items).html()
    #expect(html.utf8.count < 4_000_000, "\(html.utf8.count)")
    let page = try MarkupReader(html)
    #expect(page.all("details").count == 200)
    #expect(page.all("details").allSatisfy { $0.attributes["open"] == nil })
  }

  @Test("a single loud step, and 11 dB of limiting, change the curves of two hours")
  func aPeakOfASingleStepIsDrawnInALongProgramme() {
    var report = SampleReports.render(seconds: 7200)
    let plain = ReportPage(items: [ReportItem(report)]).html()
    report.outputs[0].loudness?.series?.shortTerm[12_345] = -3
    let loud = ReportPage(items: [ReportItem(report)]).html()
    #expect(plain != loud)
    report.outputs[0].curves?.gainReductionDB?[77] = 11
    let limited = ReportPage(items: [ReportItem(report)]).html()
    #expect(limited != loud && limited.contains(">−10</text>"), "the scale reaches 11 dB")
  }

  /// Curves of a short programme are lines. Curves of a long one, of which much lies between two pixels, have a shade, too.
  @Test("curves of 20 s are lines, and curves of two hours have shades")
  func onlyLongProgrammesHaveShades() {
    func curves(_ seconds: Double) -> [String] {
      let html = ReportPage(items: [ReportItem(SampleReports.render(seconds: seconds))]).html()
      return html.matches(of: /<path class="((?:momentary|after|before)(?: band)?)"/).map {
        String($0.output.1)
      }
    }
    // Further curves are those of the spectrum.
    #expect(curves(20).prefix(3) == ["momentary", "before", "after"])
    let long = ["momentary band", "before band", "before", "after band", "after"]
    #expect(curves(7200).prefix(5) == long[...])
  }

  @Test("reduced curves of 72,000 steps keep the highest and the lowest value")
  func reducedCurvesKeepBothExtremes() throws {
    var values = [Double?](repeating: -20, count: 72_000)
    values[30_000] = -3
    values[50_000] = -29
    let trace = CurveTrace(values, interval: 0.1)
    let time = PlotAxis.time(duration: 7200, start: 0, end: 240)
    let level = PlotAxis(first: -30, last: 0, step: 5, start: 300, end: 0)
    func heights(_ data: String) -> [Double] {
      // Relative pairs behind the first point, which is absolute.
      let numbers = data.replacing("-", with: " -").split { "MlZ ".contains($0) }.compactMap {
        Double($0)
      }
      var y = 0.0
      return stride(from: 1, to: numbers.count, by: 2).map { index in
        y += numbers[index]
        return y
      }
    }
    let outline = trace.outline(time: time, level: level)
    #expect(outline.isBand)
    let band = heights(outline.data)
    #expect(band.count == 480 && band.min() == 30 && band.max() == 290)
    #expect(heights(trace.edge(time: time, level: level)).min() == 30)
    let area = heights(trace.area(time: time, level: level, base: 0))
    #expect(area.count == 242 && area.max() == 290 && area.first == 0 && area.last == 0)
  }

  @Test("axes, target, true peaks and trims of a render have their figures on the page")
  func axesHaveNumbersAndMarksHaveFigures() throws {
    let page = try read([ReportItem(SampleReports.render(seconds: 7200))])
    let texts = page.all("text").map(\.text)
    for text in [
      "LUFS", "0:00:00", "0:15:00", "2:00:00", "−15", "dB", "dBFS", "1 kHz", "16 kHz",
      "Time, h:mm:ss", "Frequency, in thirds of an octave",
      "63 Hz",
      "Gain reduction by the limiter", "true peak before −1.20 dBTP", "true peak after −1.20 dBTP",
      "priming", "programme", "padding", "256", "512",
    ] {
      #expect(texts.contains(text), "\(text)")
    }
    // The target is named beside the picture, where it can't cover a curve.
    #expect(page.all("li").contains { $0.text == "target −16.0 LUFS" })
  }

  @Test("figures of a comparison stand with their limits, beside bars in units of the limit")
  func comparisonsDrawFiguresInUnitsOfWhatIsAllowed() throws {
    let page = try read([ReportItem(.comparison(SampleReports.comparison()))])
    let texts = page.all("text").map(\.text)
    #expect(texts.contains("✗ residual −10.50 dB, allowed −60 dB"))
    #expect(texts.contains("✓ lag 0 samples, allowed 0 samples"))
    #expect(texts.contains("✓ cutoff 21,000 Hz, allowed 20,000 Hz"))
    let bars = page.all("rect").filter {
      ["over", "within"].contains($0.attributes["class"] ?? "")
    }
    #expect(bars.map { $0.attributes["width"] } == ["100.00%", "0.40%", "25.00%", "47.62%"])
    // Of the scale's five lines, the one in the middle is what is allowed.
    let looks = page.all("line").map { $0.attributes["class"] }
    #expect(looks == ["grid", "grid", "limit", "grid", "grid"])
  }

  @Test("reports without curves, failed ones and no reports at all make pages")
  func oldReportsWithoutCurvesAndEmptyOnesMakePages() throws {
    var old = SampleReports.render(seconds: 60)
    old.outputs[0].curves = nil
    #expect(try read([ReportItem(old)]).all("li").contains { $0.text == "target −16.0 LUFS" })
    old.outputs[0].loudness?.series = nil
    #expect(try read([ReportItem(old)]).all("text").allSatisfy { $0.text != "LUFS" })
    let failed = try read([ReportItem(SampleReports.failure())])
    #expect(failed.all("p").contains { $0.text.contains("doesn't exist") })
    #expect(try read([]).all("p").contains { $0.text == "There are no reports." })
  }

  @Test("absurd figures in a report give a well-formed page without nan or inf")
  func figuresOfDamagedReportsBreakNothing() throws {
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0] {
      var report = SampleReports.render(seconds: 10)
      report.outputs[0].curves?.intervalSeconds = value
      report.outputs[0].loudness?.series?.intervalSeconds = value
      report.outputs[0].loudness?.series?.shortTerm = [value, nil, -20, value]
      report.outputs[0].loudness?.target = value
      report.outputs[0].curves?.gainReductionDB = [value, 3, value]
      report.outputs[0].curves?.outputTruePeakSeconds = value
      report.outputs[0].curves?.spectrum?.frequenciesHz = [value, 100, value]
      report.outputs[0].curves?.spectrum?.inputDB = [value, -20, value]
      report.performance?.wallSeconds = value
      report.inputs[0].timeline?.samplesIn = .min
      report.inputs[0].timeline?.padding = .max
      report.inputs[0].timeline?.priming.samples = .min
      report.inputs[0].timeline?.gaps = [.init(kind: .gap, position: .max, samples: .min)]
      let html = ReportPage(items: [ReportItem(report)]).html()
      _ = try MarkupReader(html)
      #expect(!html.contains("nan") && !html.contains("inf\"") && !html.contains("inf "))
    }
  }

  @Test("of 5000 degradations 4800 are counted and not listed on the page")
  func manyRemarksAreCountedNotListed() throws {
    var report = SampleReports.render(seconds: 10)
    report.degradations = (0..<5000).map { .init(.timestampGap, "gap \($0)") }
    let page = try read([ReportItem(report)])
    #expect(page.all("p").contains { $0.text == "… and 4,800 more rows" })
  }

  /// A table with a column for each channel scrolls on a narrow page, by keyboard too.
  @Test("the gains of a downmix of 24 channels are a part that scrolls by keyboard")
  func theGainsOfADownmixScroll() throws {
    var report = SampleReports.render(seconds: 5)
    report.outputs[0].render?.downmix = .init(
      source: "standard", inputs: (1...24).map { "C\($0)" }, outputs: ["L", "R"],
      gains: [[Double]](repeating: [Double](repeating: 0.5, count: 24), count: 2))
    let page = try read([ReportItem(report)])
    let parts = page.all("div").filter { $0.attributes["role"] == "group" }
    let region = try #require(
      parts.first { $0.attributes["aria-label"]?.hasPrefix("Gains of the downmix") == true })
    #expect(region.attributes["tabindex"] == "0" && region.text.contains("C24"))
  }

  @Test("reports of one file have headings that differ by output or number")
  func sameNamesAreToldApart() throws {
    let film = SampleReports.render(seconds: 5)
    var other = film
    other.outputs[0].path = "out/film-loud.wav"
    let page = try read([ReportItem(film), ReportItem(other), ReportItem(other)])
    #expect(
      page.all("summary").map { $0.text }.map { $0.prefix { $0 != "!" } } == [
        "film.mkv → film.wav ", "film.mkv → film-loud.wav ", "film.mkv → film-loud.wav (2) ",
      ])
  }

  @Test("the page of the same reports has the same bytes twice")
  func sameReportsGiveTheSameBytes() {
    let pages = (0..<2).map { _ in ReportPage(items: SampleReports.all(seconds: 30)).html() }
    #expect(pages[0] == pages[1])
  }

  /// Levels and phase of an analysis are drawn, with a figure's words beside them.
  @Test("levels, correlation, silence and taps of an analysis are shown on the page")
  func analysesAreDrawn() throws {
    let html = ReportPage(items: [ReportItem(SampleReports.analysed(seconds: 60))]).html()
    let page = try MarkupReader(html)
    let titles = page.all("title").map(\.text)
    #expect(titles.contains("Peak and RMS of each channel over time"))
    #expect(titles.contains("Correlation of FL and FR over time"))
    #expect(html.contains("FR: peak −3.0 dBFS, RMS −20.0 dBFS."))
    #expect(html.contains("No silence of 2.0 s below −60 dBFS"))
    #expect(html.contains("for item 2, 5") && html.contains("tempo × 1.250"))
    #expect(html.contains("gain=0.5; mix=1"))
    // A silent stretch breaks the line of a channel: its path begins anew.
    let paths = page.all("path").compactMap { $0.attributes["d"] }
    #expect(paths.contains { $0.filter { $0 == "M" }.count == 2 })
  }
}

extension RenderReport {
  fileprivate enum Kind { case failure }

  fileprivate init(_ kind: Kind) { self = SampleReports.failure() }
}
