// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import Report

/// The first parts of a page of several reports: what became of them, and their table.
@Suite struct OutcomeTests {
  private func read(_ items: [ReportItem]) throws -> MarkupReader {
    try MarkupReader(ReportPage(items: items).html())
  }

  /// A render of 5 s with these codes and loudness.
  private func render(
    _ name: String, _ codes: [DegradationCode] = [], loudness: Double = -16
  ) -> ReportItem {
    var report = SampleReports.render(seconds: 5, name: name)
    report.performance = nil
    report.degradations = codes.map { .init($0, "something") }
    report.outputs[0].loudness?.output.integrated = loudness
    report.outputs[0].loudness?.input.integrated = loudness - 10
    return ReportItem(report)
  }

  private func failed(_ name: String) -> ReportItem {
    ReportItem(SampleReports.failure(name: name), name: name)
  }

  private var some: [ReportItem] {
    [
      render("a"), failed("b"), render("c", [.truncated, .clipped, .clipped]), render("d"),
      failed("e"), render("f", [.clipped]),
    ]
  }

  @Test("failures come first in the table and below it, then what is degraded, each in its order")
  func failuresComeFirst() throws {
    let page = try read(some)
    let names = page.all("a").filter { $0.attributes["href"]?.hasPrefix("#r") == true }.map(\.text)
    #expect(names == ["b", "e", "c", "f", "a", "d"])
    let headings = page.all("h2").map(\.text).filter { $0.count == 1 }
    #expect(headings == names)
  }

  @Test("the cards count failures, each class, and what has nothing to report")
  func cardsCountTheClasses() throws {
    let page = try read(some)
    let names = page.all("dt").prefix(6).map(\.text)
    let values = page.all("dd").filter { $0.attributes["class"] == "value" }.prefix(6).map(\.text)
    #expect(names == ["Failed", "Damage", "Doubt", "Level", "Loss", "Nothing to report"])
    #expect(values == ["2", "1", "0", "2", "0", "2"])
  }

  @Test("the table of codes counts items and times, failures first, the most frequent code first")
  func codesAreCounted() throws {
    let page = try read(some)
    let cells = page.elements.drop { $0.text != "Failures and degradations by code" }
      .filter { $0.name == "td" || $0.attributes["scope"] == "row" }.prefix(12).map(\.text)
    #expect(
      cells == [
        "input-missing", "failure", "2", "2", "clipped", "level", "2", "3", "truncated", "damage",
        "1", "1",
      ])
  }

  @Test("entries of a batch give the same counts as the reports of its items")
  func entriesCountAlike() throws {
    var tally = OutcomeTally()
    for (index, item) in some.enumerated() {
      guard case .render(let report) = item.content else { continue }
      var own = ItemReport(id: "\(index)", input: "", job: "")
      own.status = report.status == .error ? .error : .ok
      own.reports = [report]
      own.error = report.error
      tally.add(BatchReport.Entry(own, cached: false, result: ""))
    }
    let context = SectionContext(id: "all", level: 2, links: .none, isSmall: false)
    let section = try #require(tally.markup(context)).source
    #expect(ReportPage(items: some).html().contains(section))
  }

  @Test("three levels and more have a histogram with a bar for each rounded LUFS, two have none")
  func levelsHaveAHistogram() throws {
    let items = [-16.4, -15.6, -16.0, -20].enumerated().map { render("\($0)", loudness: $1) }
    let titles = try read(Array(items.prefix(2))).all("title").map(\.text)
    #expect(!titles.contains("Items by loudness, before and after"))
    let page = try read(items)
    let bars = page.all("path").first { $0.attributes["class"] == "bar" }?.attributes["d"]
    // Four bars' worth of items at two places: three at -16, one at -20.
    #expect(bars?.count { $0 == "M" } == 2 && bars?.contains("V0H") == true)
    #expect(
      page.all("desc").contains {
        $0.text
          == "Before: 4 levels from −30 to −26 LUFS, half of them up to −26 LUFS. "
          + "After: 4 levels from −20 to −16 LUFS, half of them up to −16 LUFS."
      })
    #expect(page.all("text").contains { $0.text == "Integrated loudness, rounded, LUFS" })
  }

  @Test("absurd levels count at the ends of the histogram, and silence nowhere")
  func absurdLevelsCountAtTheEnds() {
    var counts = LevelCounts()
    for level in [Double.nan, .infinity, -1e300, 1e300, -69.6, nil] { counts.add(level) }
    #expect(counts.steps == [-70: 2, 10: 1] && counts.total == 3 && counts.median == -70)
  }

  @Test("the columns kind and speed are there only where they say something")
  func columnsThatSayNothingAreLeftOut() throws {
    func heads(_ items: [ReportItem]) throws -> [String] {
      try read(items).elements.drop { $0.attributes["class"] != "sortable" }
        .filter { $0.attributes["scope"] == "col" }.prefix { $0.text != "Figure" }.map(\.text)
    }
    let plain = [
      "Name", "Status", "Exit", "Loudness, LUFS", "True peak, dBTP", "Gain, dB", "Limiter, dB",
      "Remarks", "Length",
    ]
    #expect(try heads(some).prefix(9) == plain[...])
    #expect(try !heads(some).contains("Speed"))
    let mixed = try heads(SampleReports.all(seconds: 5))
    #expect(mixed[1] == "Kind" && mixed[10] == "Speed")
  }

  @Test("each row has the words that the filter chooses by")
  func rowsHaveTheWordsOfTheFilter() throws {
    let words = try read(some).all("tr").compactMap { $0.attributes["data-is"] }
    #expect(words == ["failed", "failed", "damage level", "level", "clean", "clean"])
  }

  @Test("the link below the table holds the figures of all reports as CSV")
  func theTableCanBeSaved() throws {
    let link = try #require(try read(some).all("a").first { $0.attributes["download"] != nil })
    let address = try #require(link.attributes["href"])
    let data = address.split(separator: ",", maxSplits: 1)
    #expect(data.first == "data:text/csv;charset=utf-8")
    #expect(data.last?.removingPercentEncoding == ReportCSV.text(ReportPage(items: some).items))
  }

  @Test("closed reports of a page of 13 aren't shown below the table, those of a page of 12 are")
  func manyReportsAreFolded() throws {
    for count in [12, 13] {
      let page = try read((0..<count).map { render("\($0)") })
      let looks = Set(page.all("details").compactMap { $0.attributes["class"] })
      #expect(looks == [count > 12 ? "report folded" : "report"])
    }
  }
}
