// SPDX-License-Identifier: Apache-2.0
import Report
import Testing

/// Markdown reports for the summary of a CI step.
@Suite struct MarkdownReportTests {
  @Test("the Markdown report states outcome and levels") func saysWhatHappened() {
    let text = MarkdownReport(items: SampleReports.all(seconds: 60)).text()
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "## Pinna: 5 reports: 2 failed, 1 different, 1 invalid, 1 degraded")
    #expect(lines[3].hasPrefix("| `film.mkv` | render | ! degraded | −20.1 → −16.0 |"))
    #expect(lines[4].hasPrefix("| `render without an input` | render | ✗ failed (exit 3) |"))
    #expect(text.contains("- only the bed of film.mkv is rendered (`objects-to-bed`)"))
    #expect(text.contains("- film.mkv is 3 dB quieter (`levels`)"))
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
  }

  @Test("names of files stay text in Markdown", arguments: SampleReports.hostile)
  func namesStayText(name: String) {
    let text = MarkdownReport(items: SampleReports.all(seconds: 1, name: name)).text()
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.count == 7, "a name can't begin a row")
    for row in rows {
      // Only bars without a backslash separate cells.
      var bars = 0
      var last: Character = " "
      for sign in row {
        if sign == "|", last != "\\" { bars += 1 }
        last = sign
      }
      #expect(bars == 9, "\(row.prefix(200))")
    }
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    // Outside of code nothing of HTML is left.
    let plain = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element).joined()
    if !name.contains("`") { #expect(!plain.contains("<")) }
  }

  @Test("ten degradations are listed in Markdown, and further ones counted")
  func manyRemarksAreCounted() {
    var report = SampleReports.render(seconds: 1)
    report.degradations = (0..<500).map { .init(.timestampGap, "gap \($0)") }
    let text = MarkdownReport(items: [ReportItem(report)]).text()
    #expect(text.contains("- gap 9 (`timestamp-gap`)\n- … and 490 more\n"))
    #expect(!text.contains("gap 10"))
    report.degradations = (0..<11).map { .init(.timestampGap, "gap \($0)") }
    #expect(MarkdownReport(items: [ReportItem(report)]).text().contains("- … and 1 more\n"))
    report.degradations.removeLast()
    #expect(!MarkdownReport(items: [ReportItem(report)]).text().contains("more"))
  }

  /// A programme may be silent before or after; what is known on the other side is still shown.
  @Test("a level that is unknown before or after is a dash in Markdown")
  func oneSidedLevelsHaveADash() {
    var report = SampleReports.render(seconds: 1)
    report.outputs[0].loudness?.input.integrated = nil
    #expect(MarkdownReport(items: [ReportItem(report)]).text().contains("| – → −16.0 |"))
    report = SampleReports.render(seconds: 1)
    report.outputs[0].loudness?.output.integrated = nil
    report.outputs[0].integrated = nil
    #expect(MarkdownReport(items: [ReportItem(report)]).text().contains("| −20.1 → – |"))
    report.outputs[0].loudness?.input.integrated = nil
    #expect(MarkdownReport(items: [ReportItem(report)]).text().contains("| ! degraded | – |"))
  }

  /// A report without remarks is a row of the table, and no more.
  @Test("a report without remarks is a row in Markdown and has no section")
  func onlyReportsWithRemarksHaveASection() {
    let items = ["good.mkv", "bad.mkv"].map { name in
      var report = SampleReports.render(seconds: 1, name: name)
      if name == "good.mkv" { report.degradations = [] }
      return ReportItem(report)
    }
    let lines = MarkdownReport(items: items).text().split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("| `") }.count == 2)
    #expect(lines.filter { $0.hasPrefix("###") } == ["### ! `bad.mkv`"])
  }
}
