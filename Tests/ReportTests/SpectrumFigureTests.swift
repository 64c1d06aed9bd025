// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Report

/// The drawing of the long-term spectrum.
@Suite struct SpectrumFigureTests {
  /// The figures of the upright scale, from the bottom.
  private func scale(_ before: [Double?], _ after: [Double?]) throws -> [String] {
    let spectrum = RenderReport.Curves.Spectrum(
      frequenciesHz: [25, 31.5, 40, 50].suffix(before.count), inputDB: before, outputDB: after)
    let figure = SpectrumFigure(spectrum: spectrum, id: "s", isSmall: false)
    let page = try MarkupReader(try #require(figure.markup).source)
    return page.all("text").filter { $0.attributes["x"] == "-8" && $0.text != "dBFS" }.map(\.text)
  }

  /// A decibel of room lies beyond the highest and the lowest band.
  @Test("the spectrum's scale reaches from the lowest band to the highest in steps of 5 dB")
  func theScaleReachesFromTheLowestBandToTheHighest() throws {
    let found = try scale([-30, -59, nil], [-26, -55, nil])
    #expect(found == ["−60", "−55", "−50", "−45", "−40", "−35", "−30", "−25"])
  }

  /// A band that is nearly silent would squeeze all others: the scale ends 70 dB below the highest.
  @Test("the spectrum's scale ends at -100 dB for bands from -26 to -190 dB")
  func theScaleEndsSeventyDecibelsDown() throws {
    let found = try scale([-30, -190], [-26, -186])
    #expect(found.first == "−100" && found.last == "−20")
  }
}
