// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import Testing

/// Reports are read back as they were written; anything else is refused in one sentence.
@Suite struct ReportParserTests {
  private func items(_ text: String) throws -> [ReportItem] {
    try ReportParser.items(Data(text.utf8), name: "x.json")
  }

  private func refusal(_ text: String) -> String {
    do {
      _ = try items(text)
      return ""
    } catch let error as MediaError {
      return error.exitCode == 3 ? error.message : "\(error.exitCode)"
    } catch { return "\(error)" }
  }

  @Test("reports of a render, comparison, golden and validation are read as they were written")
  func readsEverySchema() throws {
    let render = SampleReports.render(seconds: 700)
    #expect(try items(ReportJSON.pretty(render)) == [ReportItem(render)])
    let comparison = SampleReports.comparison()
    #expect(try items(ReportJSON.pretty(comparison)) == [ReportItem(.comparison(comparison))])
    let golden = SampleReports.golden()
    #expect(try items(ReportJSON.line(golden)) == [ReportItem(.golden(golden))])
    let validation = SampleReports.validation()
    #expect(try items(ReportJSON.pretty(validation)) == [ReportItem(.validation(validation))])
  }

  @Test("an album shows its figures first, then its files")
  func readsAlbums() throws {
    let track = MeasureReport(
      input: RenderReport.Input(
        path: "/m/one.flac", container: "flac", stream: 0, codec: "flac", profile: nil,
        layout: "stereo", rate: 48000, language: nil, dialnorm: nil, drc: nil, objects: .no),
      samples: 480_000, levels: AlbumFigures.levels(-20), channels: ["FL", "FR"], degradations: [],
      series: nil, relativeGate: -30)
    let album = MeasureAlbumReport(album: AlbumFigures.levels(-14.25), tracks: [track, track])
    let read = try items(ReportJSON.pretty(album))
    #expect(
      read == [
        ReportItem(.album(album)), ReportItem(.measurement(track)), ReportItem(.measurement(track)),
      ])
    let page = ReportPage(items: read).html()
    let (album1, first) = (page.range(of: "album of 2 files"), page.range(of: "one.flac"))
    #expect(try #require(album1).lowerBound < #require(first).lowerBound)
    #expect(page.contains("2 files as one programme") && page.contains("−14.25 LUFS"))
  }

  private enum AlbumFigures {
    static func levels(_ integrated: Double) -> RenderReport.Levels {
      RenderReport.Levels(
        integrated: integrated, momentaryMax: -12, shortTermMax: -13, range: 3, truePeak: -1,
        channelTruePeaks: [-1, -2], samplePeak: -1.5, short: false)
    }
  }

  @Test("a file of one report a line is read, and the error of a bad line has its number")
  func readsOneReportALine() throws {
    let reports = [SampleReports.render(seconds: 3), SampleReports.failure()]
    let text = try reports.map { try ReportJSON.line($0) + "\n" }.joined()
    #expect(try items(text) == reports.map { ReportItem($0) })
    #expect(refusal(text + "{\"schema\":1}\n").contains("x.json, line 3"))
  }

  @Test("a text that is no report is refused with its reason in one line")
  func refusesWhatIsNoReport() {
    for (text, words) in [
      ("", "x.json: is empty"), (" \n", "is empty"), ("{", "isn't JSON"),
      ("[1]", "give reports that"),
      ("RIFF\u{0}\u{1}", "isn't JSON"), ("{}", "lacks schema"), ("{\"schema\":3}", "in schema"),
      ("{\"schema\":\"pinna.probe/2\"}", "can't show the schema pinna.probe/2"),
      ("{\"schema\":\"x\\n\\u001b[0m\"}", "the schema x  [0m"),
      ("{\"schema\":\"pinna.report/1\"}", "isn't a whole pinna.report/1 (lacks status"),
      ("{\"schema\":\"pinna.report/1\",\"status\":\"fine\"}", "isn't a whole pinna.report/1"),
    ] {
      let message = refusal(text)
      #expect(message.contains(words), "\(text): \(message)")
      #expect(!message.contains("\n"))
    }
  }

  @Test("a curve of 72,000 values becomes 2000 pairs that keep the highest and the lowest")
  func longProgrammesKeepTheirExtremes() {
    let values = (0..<72_000).map { index -> Double? in index % 100 < 3 ? nil : Double(index % 977)
    }
    let width = RenderReport.Curves.width(for: values.count)
    let curve = RenderReport.Curves.Curve(values, width: width)
    #expect(width == 36 && curve.highest.count == 2000 && curve.lowest?.count == 2000)
    #expect(curve.highest.compactMap { $0 }.max() == values.compactMap { $0 }.max())
    #expect(curve.lowest.map { $0.compactMap { $0 }.min() } == values.compactMap { $0 }.min())
    #expect(RenderReport.Curves.Curve([1, nil, 3], width: 1) == .init(highest: [1, nil, 3]))
    #expect(RenderReport.Curves.width(for: 0) == 1 && RenderReport.Curves.width(for: 2001) == 2)
  }
}
