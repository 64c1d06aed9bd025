// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Report

/// Bars of figures and their limits.
@Suite struct ToleranceFigureTests {
  private func layer(_ figures: [ComparisonReport.Figure], _ name: ComparisonLayer = .null)
    -> ComparisonReport.Layer
  {
    .init(layer: name, status: .failed, rule: "", figures: figures, fault: nil, note: nil)
  }

  private func read(_ figures: [ComparisonReport.Figure]) throws -> MarkupReader {
    let figure = ToleranceFigure(layer: layer(figures), id: "a")
    return try MarkupReader(try #require(figure.markup).source)
  }

  private func number(_ element: MarkupReader.Element, _ key: String) throws -> Double {
    let text = try #require(element.attributes[key])
    return try #require(Double(text.hasSuffix("%") ? String(text.dropLast()) : text))
  }

  @Test("bars are as long as their share of twice the limit, and marked as within or over it")
  func barsAreAsLongAsTheirShareOfTheLimit() throws {
    let figures = try read([
      .init(name: "lag", value: 3, unit: "samples", limit: 4),
      .init(name: "gain", value: -0.5, unit: "dB", limit: 0.25),
      .init(name: "residual", value: -66, unit: "dB", limit: -60),
      .init(name: "cutoff", value: 16_000, unit: "Hz", limit: 20_000),
      .init(name: "free", value: 5, unit: "", limit: nil),
    ])
    let bars = figures.all("rect")
    // Twice the limit is the whole width.
    for (bar, width) in zip(bars, [37.5, 100, 25.06, 62.5]) {
      #expect(try (number(bar, "width") - width).magnitude < 0.01)
    }
    #expect(bars.map { $0.attributes["class"] } == ["within", "over", "within", "over"])
    let tops = try bars.map { try number($0, "y") }
    #expect(zip(tops, tops.dropFirst()).allSatisfy { $1 - $0 == 44 })
  }

  /// An arrow at the middle of a bar says that its true length is beyond the scale.
  @Test("a bar beyond twice the limit has full width and an arrow at its middle")
  func longerBarsHaveAnArrow() throws {
    let figures = try read([
      .init(name: "one", value: 1, unit: "", limit: 1),
      .init(name: "two", value: 2.01, unit: "", limit: 1),
    ])
    let arrows = figures.all("svg").dropFirst()
    #expect(arrows.count == 1)
    let bar = try #require(figures.all("rect").last)
    let middle = try number(bar, "y") + number(bar, "height") / 2
    #expect(try arrows.map { try number($0, "y") } == [middle])
    #expect(try number(bar, "width") == 100)
  }

  /// For values that must be equal, a bar would mean nothing.
  @Test("layers of exact values, and layers without figures, have no bars")
  func exactLayersHaveNoBars() {
    let figures = [ComparisonReport.Figure(name: "length", value: 1, unit: "", limit: 2)]
    #expect(ToleranceFigure(layer: layer(figures, .structure), id: "a").markup == nil)
    #expect(ToleranceFigure(layer: layer(figures, .samples), id: "a").markup == nil)
    #expect(ToleranceFigure(layer: layer(figures), id: "a").markup != nil)
    #expect(ToleranceFigure(layer: layer([]), id: "a").markup == nil)
  }

  @Test("a figure is kept up to its limit and not beyond, and without a limit neither")
  func aFigureIsKeptUpToItsLimit() {
    let at = ComparisonReport.Figure(name: "lag", value: 4, unit: "", limit: 4)
    let over = ComparisonReport.Figure(name: "lag", value: 4.001, unit: "", limit: 4)
    let free = ComparisonReport.Figure(name: "lag", value: 4, unit: "", limit: nil)
    #expect(ToleranceFigure.isKept(at, isExact: false) == true)
    #expect(ToleranceFigure.isKept(over, isExact: false) == false)
    #expect(ToleranceFigure.isKept(at, isExact: true) == true)
    #expect(ToleranceFigure.isKept(over, isExact: true) == false)
    #expect(ToleranceFigure.isKept(free, isExact: false) == nil)
    #expect(ToleranceFigure.isKept(free, isExact: true) == nil)
  }
}
