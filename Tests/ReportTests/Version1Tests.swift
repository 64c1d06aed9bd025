// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import Testing

/// Reports that version 1 wrote, as committed in Tests/Schemas/Report1, are read and shown.
@Suite struct Version1Tests {
  private func report(_ name: String) throws -> RenderReport {
    let data = try Data(contentsOf: Version1Tests.file(name))
    let items = try ReportParser.items(data, name: name)
    guard items.count == 1, case .render(let report) = items[0].content else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return report
  }

  private static func file(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Schemas/Report1/\(name).json")
  }

  @Test("of two outputs in a version 1 report the first has loudness, render and curves")
  func theFirstOutputHasWhatWasDone() throws {
    let report = try report("two-outputs")
    #expect(report.schema == RenderReport.schemaName)
    #expect(report.inputs.count == 1 && report.inputs[0].timeline != nil)
    #expect(report.outputs.map(\.path) == ["out.wav", "b.wav"])
    let (first, second) = (report.outputs[0], report.outputs[1])
    #expect(first.loudness?.target == -16 && first.curves != nil)
    #expect(first.render?.rate == 44_100 && first.render?.endpoint == .headphones)
    #expect(second.loudness == nil && second.render == nil && second.curves == nil)
    #expect(second.endpoint == .speakers && second.verified)
  }

  /// Version 1 counted what came out at the output's rate.
  @Test("the length in a version 1 report is read in samples of the input")
  func lengthsAreThoseOfTheInput() throws {
    let report = try report("two-outputs")
    let timeline = try #require(report.timeline)
    let expected = Double(report.outputs[0].samples) / 44_100 * Double(timeline.start.rate)
    #expect(abs(Double(timeline.samplesOut) - expected) < 1)
  }

  @Test("degradations and decisions of a version 1 report get codes and subjects")
  func codesAndSubjectsAreFilledIn() throws {
    let report = try report("downmix")
    #expect(report.degradations.map(\.code).contains(.lfeDropped))
    #expect(report.degradations.allSatisfy { $0.subject == .run })
    #expect(report.decisions.contains { $0.code == .track })
    #expect(report.render?.downmix?.method == "standard")
  }

  @Test("a dry run, a copy and a failure of version 1 are read")
  func dryRunsCopiesAndFailuresAreRead() throws {
    let dryRun = try report("dry-run")
    #expect(dryRun.planned?.count == 1 && dryRun.render?.endpoint == .headphones)
    let copy = try report("copy")
    #expect(copy.outputs.count == 1 && copy.loudness == nil && copy.outputs[0].format == "fmp4")
    let failed = try report("failed")
    #expect(failed.exit == 3 && failed.error?.kind == "input-missing" && failed.inputs.isEmpty)
  }

  @Test(
    "a report of version 1 is shown and written as version 2",
    arguments: ["two-outputs", "downmix", "dry-run", "copy", "failed"])
  func theyAreShownAndWrittenAsVersion2(name: String) throws {
    let report = try report(name)
    let item = ReportItem(report)
    _ = try MarkupReader(ReportPage(items: [item]).html())
    _ = try MarkupReader(JUnitReport(items: [item]).xml())
    #expect(MarkdownReport(items: [item]).text().contains("render"))
    let text = try ReportJSON.pretty(report)
    #expect(text.contains("\"pinna.report/2\""))
    let again = try ReportParser.items(Data(text.utf8), name: name)
    #expect(again == [item])
  }
}
