// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The plot is a standalone SVG file that shows the report's figures.
@Suite struct LoudnessPlotTests {
  private func texts(_ svg: String) throws -> [String] {
    let reader = TextReader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return reader.texts
  }

  @Test(
    "programmes from 50 ms to 400,000 s give a valid plot below 300,000 bytes",
    arguments: [0.05, 0.3, 0.4, 2.9, 5, 180, 3600, 10_800, 36_000, 400_000])
  func everyLengthGivesASmallValidFile(seconds: Double) throws {
    let svg = PlotProgramme.plot(seconds: seconds).svg()
    #expect(svg.utf8.count < 300_000)
    #expect(svg == PlotProgramme.plot(seconds: seconds).svg())
    let texts = try texts(svg)
    #expect(texts.contains("film.mkv"))
    #expect(texts.contains("integrated −20.1"))
    #expect(texts.contains("target −16.0"))
    #expect(texts.contains("relative gate −30.3"))
    for word in ["nan", "inf", "<script", "href", "<style"] { #expect(!svg.contains(word)) }
    if let path = ProcessInfo.processInfo.environment["PINNA_PLOTS"] {
      try svg.write(toFile: path + "/\(seconds).svg", atomically: true, encoding: .utf8)
    }
  }

  @Test("5 s, 3 minutes and 3 hours have round ticks of time")
  func timeIsInRoundTicks() throws {
    let short = try texts(PlotProgramme.plot(seconds: 5).svg())
    #expect(short.contains("0:00.5") && short.contains("0:05.0"))
    let song = try texts(PlotProgramme.plot(seconds: 180).svg())
    #expect(song.contains("0:30") && song.contains("3:00"))
    let film = try texts(PlotProgramme.plot(seconds: 10_800).svg())
    #expect(film.contains("0:30:00") && film.contains("3:00:00"))
  }

  @Test("one loud step in ten hours changes the plot and its scale")
  func theBandOfALongProgrammeKeepsItsExtremes() throws {
    var series = PlotProgramme.series(seconds: 36_000)
    let levels = PlotProgramme.levels(series)
    let plain = LoudnessPlot(title: "", duration: 36_000, levels: levels, series: series).svg()
    series.momentary[123_456] = -0.5
    let loud = LoudnessPlot(title: "", duration: 36_000, levels: levels, series: series).svg()
    #expect(plain != loud)
    #expect(try texts(loud).contains("0") && !texts(plain).contains("0"))
  }

  @Test("names of files stay text in the loudness plot, and long ones are shortened")
  func strangeNamesStayText() throws {
    let names = [
      "</text><script>alert(1)</script>.wav", "a&b \"c\" 'd' <e>.mkv", "]]>.wav",
      "tab\tline\nbell\u{07}esc\u{1B}[0m\u{202E}vaw.exe", "\u{FFFE}\u{FFFF}.wav", "映画 🎬.mkv",
      String(repeating: "wide name ", count: 40), String(repeating: "映", count: 200), "",
    ]
    for name in names {
      let svg = PlotProgramme.plot(seconds: 5, title: name).svg()
      let texts = try texts(svg)
      #expect(!svg.contains("<script"))
      #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
      if name.count < 40, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x2000 }),
        !name.isEmpty
      {
        #expect(texts.contains(name), "\(name)")
      }
    }
    let long = try texts(
      PlotProgramme.plot(seconds: 5, title: String(repeating: "wide name ", count: 40)).svg())
    #expect(long.contains { $0.contains("…") && $0.hasPrefix("wide") && $0.hasSuffix("name ") })
  }

  @Test("silence and a programme shorter than 400 ms are stated in words in the loudness plot")
  func whatCannotBeDrawnIsSaid() throws {
    let silent = try texts(PlotProgramme.empty(seconds: 20, short: false).svg())
    #expect(silent.contains { $0.hasPrefix("silence") })
    #expect(silent.contains { $0.hasPrefix("I –") && !$0.contains("LUFS") })
    #expect(!silent.contains { $0.hasPrefix("integrated") || $0.hasPrefix("momentary") })
    let short = try texts(PlotProgramme.empty(seconds: 0.3, short: true).svg())
    #expect(short.contains { $0.hasPrefix("shorter than 400 ms") })
    #expect(short.contains("integrated −23.4"))
    let plot = PlotProgramme.plot(seconds: 2).svg()
    let brief = try texts(plot)
    #expect(brief.contains("momentary (400 ms)") && !brief.contains("short-term (3 s)"))
    #expect(plot.contains("<path ") && !plot.contains("d=\"\""))
    if let path = ProcessInfo.processInfo.environment["PINNA_PLOTS"] {
      try PlotProgramme.empty(seconds: 20, short: false).svg()
        .write(toFile: path + "/silent.svg", atomically: true, encoding: .utf8)
      try PlotProgramme.empty(seconds: 0.3, short: true).svg()
        .write(toFile: path + "/short.svg", atomically: true, encoding: .utf8)
    }
  }

  @Test("the absolute gate is drawn for a quiet programme, else stated to be below the scale")
  func theAbsoluteGateIsDrawnOrSaidToBeOffTheScale() throws {
    #expect(
      try texts(PlotProgramme.plot(seconds: 60).svg()).contains(
        "absolute gate −70, below the scale"))
    let quiet = RenderReport.Series(
      momentary: [Double?](repeating: -74, count: 600), shortTerm: [])
    let plot = LoudnessPlot(
      title: "", duration: 60, levels: PlotProgramme.levels(quiet), series: quiet)
    #expect(try texts(plot.svg()).contains("absolute gate −70"))
  }

  @Test("values that aren't numbers give a valid loudness plot without them")
  func valuesThatAreNoNumbersAreGaps() throws {
    let series = RenderReport.Series(
      momentary: [nil, .nan, -20, .infinity, -.infinity, -1e300, 1e300, -20, -21],
      shortTerm: [.nan])
    let levels = RenderReport.Levels(
      integrated: .nan, momentaryMax: .infinity, shortTermMax: nil, range: nil, truePeak: nil,
      channelTruePeaks: [], samplePeak: nil, short: false)
    let svg = LoudnessPlot(title: "x", duration: .nan, levels: levels, series: series).svg()
    _ = try texts(svg)
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }
}
