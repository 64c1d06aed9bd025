// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Report

/// A report of several outputs shows each of them with its own figures.
@Suite struct SeveralOutputsTests {
  private let report = SampleReports.severalOutputs()

  private func page(_ items: [ReportItem]) throws -> MarkupReader {
    try MarkupReader(ReportPage(items: items).html())
  }

  @Test("each of three outputs has a section with its own figures and pictures")
  func eachOutputHasASectionOfItsOwn() throws {
    let page = try page([ReportItem(report)])
    let headings = page.all("h2").map(\.text)
    for (index, name) in ["film.wav", "film.flac", "film.m4a"].enumerated() {
      #expect(headings.contains("Output \(index + 1): \(name)"), "\(headings)")
    }
    #expect(page.all("h3").filter { $0.text == "Loudness" }.count == 3)
    #expect(page.all("h3").filter { $0.text == "Renderer" }.count == 3)
    let values = page.all("dd").map(\.text)
    for word in ["−20.1 → −16.0", "−20.1 → −23.0", "−20.1 → −14.0", "limiter up to 5.5 dB"] {
      #expect(values.contains(word), "\(word)")
    }
    // Loudness and spectrum of each, and one timeline.
    #expect(page.all("svg").filter { $0.attributes["role"] == "img" }.count == 7)
    let ids = page.values("id")
    #expect(Set(ids).count == ids.count)
  }

  @Test("a degradation of one output names its file on the page, in Markdown and in JUnit")
  func degradationsAndDecisionsNameTheFile() throws {
    let page = try page([ReportItem(report)])
    let rows = page.all("tr").map(\.text)
    #expect(rows.contains { $0.contains("limited") && $0.hasSuffix("film.flac") }, "\(rows)")
    #expect(rows.contains { $0.contains("objects-to-bed") && $0.hasSuffix("all") })
    let markdown = MarkdownReport(items: [ReportItem(report)]).text()
    #expect(markdown.contains("- `film.flac`: the limiter worked hard (`limited`)"))
    let junit = JUnitReport(items: [ReportItem(report)]).xml()
    #expect(junit.contains("limited: film.flac: the limiter worked hard"))
  }

  @Test("each output has a row in Markdown, a line in JUnit and a link on the page")
  func overviewsHaveARowForEach() throws {
    let markdown = MarkdownReport(items: [ReportItem(report)]).text()
    #expect(markdown.contains("| `film.mkv → film.flac` | output |  | −20.1 → −23.0 |"))
    #expect(markdown.contains("| `film.mkv → film.m4a` | output |  | −20.1 → −14.0 |"))
    let junit = JUnitReport(items: [ReportItem(report)]).xml()
    #expect(junit.contains("film.m4a: −20.1 → −14.0 LUFS"))
    let page = try page([ReportItem(report), ReportItem(SampleReports.failure())])
    let links = page.all("a").filter { $0.text == "film.mkv → film.flac" }
    let target = try #require(links.first?.attributes["href"])
    #expect(page.values("id").contains(String(target.dropFirst())))
  }

  @Test("a single output has no name, and each of several has its file's")
  func aSingleOutputIsntNamed() {
    let single = SampleReports.render(seconds: 3)
    #expect(single.name(of: .output(0)) == nil && single.name(of: .input(0)) == nil)
    #expect(single.name(of: .output(1)) == "output 2")
    #expect(report.name(of: .output(2)) == "film.m4a" && report.name(of: .run) == nil)
  }

  /// Ids number the outputs only where there are several.
  @Test("ids have an output's number only where there are several outputs")
  func idsOfASingleOutputHaveNoNumber() throws {
    let several = try page([ReportItem(report)]).values("id")
    #expect(several.contains { $0.hasPrefix("r1-o1-") })
    let single = try page([ReportItem(SampleReports.render(seconds: 3))]).values("id")
    #expect(single.contains { $0.hasPrefix("r1-") })
    #expect(!single.contains { $0.hasPrefix("r1-o1") })
  }

  /// The plan of a dry run names the outputs.
  @Test("the page of a dry run names the files that it would write")
  func aDryRunNamesWhatItWouldWrite() throws {
    var dryRun = report
    dryRun.outputs = []
    dryRun.planned = report.outputs.compactMap(\.render)
    dryRun.plan = .object([
      "branches": .list(["a.wav", "b.flac", "c.m4a"].map { .object(["path": .text($0)]) })
    ])
    #expect(dryRun.name(of: .output(1)) == "b.flac")
    let text = try page([ReportItem(dryRun)]).all("td").map(\.text)
    #expect(text.contains("b.flac") && text.contains("c.m4a"))
  }

  /// A copy beside what was rendered has no figures of its own.
  @Test("a copied output has no figures of its own") func copiesAreSaid() throws {
    var mixed = report
    mixed.outputs[2].render = nil
    mixed.outputs[2].loudness = nil
    mixed.outputs[2].integrated = nil
    mixed.outputs[2].truePeak = nil
    mixed.outputs[2].curves = nil
    let page = try page([ReportItem(mixed)])
    #expect(page.all("p").contains { $0.text == "Copied." })
    #expect(page.all("h3").filter { $0.text == "Loudness" }.count == 2)
  }
}

extension SampleReports {
  /// A render to three files with different targets.
  static func severalOutputs(seconds: Double = 60) -> RenderReport {
    var report = render(seconds: seconds)
    let forms = [("film.wav", "wav", -16.0), ("film.flac", "flac", -23), ("film.m4a", "fmp4", -14)]
    report.outputs = forms.map { name, format, target in
      var output = report.outputs[0]
      output.path = "out/" + name
      output.format = format
      output.integrated = target
      output.gainDB = target + 20.1
      output.loudness?.target = target
      output.loudness?.output.integrated = target
      output.loudness?.gainDB = target + 20.1
      return output
    }
    report.outputs[1].endpoint = .speakers
    report.outputs[1].render?.endpoint = .speakers
    report.outputs[1].render?.speakerSpan = 20
    report.outputs[2].loudness?.limiter?.maxReductionDB = 5.5
    report.degradations.append(
      Diagnostic(.limited, "the limiter worked hard", subject: .output(1)))
    report.decisions.append(
      Decision(.bits, chose: "24", why: "the default", subject: .output(1)))
    return report
  }
}
