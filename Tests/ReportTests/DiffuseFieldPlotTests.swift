// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The plot of an HRTF set's diffuse field is a standalone SVG file with a readable scale.
@Suite struct DiffuseFieldPlotTests {
  private let bands = (-13...13).map { 1000 * pow(2, Double($0) / 3) }

  private func texts(_ svg: String) throws -> [String] {
    let reader = TextReader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return reader.texts
  }

  private func field(_ measured: (Double) -> Double) -> HRTFReport.DiffuseField {
    HRTFReport.DiffuseField(
      frequenciesHz: bands, measuredDB: bands.map(measured), processedDB: bands.map { _ in 0 })
  }

  @Test("frequencies have round ticks on a scale on which 3 dB an octave is one slope")
  func frequenciesAreInRoundTicksOnALogarithmicScale() throws {
    let svg = DiffuseFieldPlot(title: "kemar", field: field { 3 * log2($0 / 1000) }).svg()
    let texts = try texts(svg)
    let scale = texts.filter { $0.hasSuffix("Hz") && !$0.contains("measured") }
    #expect(
      scale == [
        "20 Hz", "50 Hz", "100 Hz", "200 Hz", "500 Hz", "1 kHz", "2 kHz", "5 kHz", "10 kHz",
        "20 kHz",
      ])
    #expect(texts.contains("kemar") && texts.contains("as played") && texts.contains("dB"))
    #expect(svg.utf8.count < 20_000)
    // A line on a logarithmic scale: 3 dB an octave is one slope.
    let group = try #require(svg.components(separatedBy: "<g clip-path").last)
    let path = try #require(group.components(separatedBy: "d=\"M").dropFirst().first)
    let data = path.prefix { $0 != "\"" }.replacing("L", with: " ")
    let numbers = data.split(separator: " ").compactMap { Double($0) }
    try #require(numbers.count == 54)
    let steps = (0..<26).map { index -> Double in
      let rise = numbers[2 * index + 3] - numbers[2 * index + 1]
      return rise / (numbers[2 * index + 2] - numbers[2 * index])
    }
    #expect((steps.max() ?? 0) - (steps.min() ?? 1) < 0.01, "\(steps)")
  }

  @Test("the plot of a diffuse field states the ranges of its two curves")
  func figuresAreThoseOfTheCurves() throws {
    let texts = try texts(
      DiffuseFieldPlot(title: "x", field: field { $0 < 60 ? -12 : $0 > 9000 ? 6 : 1 }).svg())
    #expect(texts.contains { $0.contains("as measured: range 5.0 dB") }, "\(texts)")
    #expect(texts.contains { $0.contains("as played: range 0.0 dB, 50 Hz at 0.0 dB") })
  }

  /// The bass is that of the lowest band against the mean of the middle, whatever the treble does.
  @Test("the bass is the lowest band against the mean from 200 Hz to 10 kHz, and 0 without these")
  func theBassIsJudgedAgainstTheMiddle() {
    let uneven = field { $0 < 60 ? -12 : $0 > 12_000 ? 9 : 1 }
    #expect((uneven.bass(of: uneven.measuredDB) + 13).magnitude < 1e-9)
    #expect(uneven.bass(of: uneven.processedDB) == 0)
    // The bands named 200 Hz and 10 kHz belong to the middle, those named 160 Hz and 12.5 kHz don't.
    let thirds = [49.6, 157.5, 198.43, 1000, 10_079, 12_699]
    let edges = HRTFReport.DiffuseField(
      frequenciesHz: thirds, measuredDB: [0, 100, 6, 0, 3, 100], processedDB: [0, 0, 0, 0, 0, 0])
    #expect((edges.bass(of: edges.measuredDB) + 3).magnitude < 1e-9)
    let low = HRTFReport.DiffuseField(
      frequenciesHz: [50, 63], measuredDB: [4, 5], processedDB: [0, 0])
    #expect(low.bass(of: low.measuredDB) == 0, "there is no middle to judge it by")
  }

  @Test("values that aren't finite and hostile titles give a valid plot of a diffuse field")
  func strangeValuesAndNamesGiveAValidFile() throws {
    for field in [
      field { _ in .nan }, field { _ in -.infinity }, field { _ in 1e300 }, field { _ in -300 },
      HRTFReport.DiffuseField(frequenciesHz: [], measuredDB: [], processedDB: []),
      HRTFReport.DiffuseField(frequenciesHz: [0, -1], measuredDB: [1, 2], processedDB: [3]),
    ] {
      let svg = DiffuseFieldPlot(title: "</text><script>&\u{1B}", field: field).svg()
      _ = try texts(svg)
      for word in ["nan", "inf", "<script"] { #expect(!svg.contains(word)) }
    }
  }
}
