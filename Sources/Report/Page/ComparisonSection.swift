// SPDX-License-Identifier: Apache-2.0
import AudioCore

import Platform

/// A comparison of two files.
struct ComparisonSection {
  let report: ComparisonReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts.
  var markup: [Markup] {
    let verdict =
      report.alike
      ? Markup("p", ["class": "fine"], text: "✓ " + report.verdict)
      : SectionContext.problem(report.verdict, nil)
    return [verdict, context.cards(cards)]
      + [
        context.part("loudness", "Loudness over time", loudness),
        context.part("spectrum", "Spectrum", spectrum),
        context.part("files", "Files", [files]), context.part("layers", "Layers", [layers]),
        context.part("figures", "Figures against what is allowed", figures),
      ].compactMap { $0 }
  }

  private var cards: [(name: String, value: String, note: String?)] {
    let failed = report.layers.count { $0.status == .failed }
    let passed = report.layers.count { $0.status == .passed }
    let ignored = report.ignored.map { "without " + $0.joined(separator: ", ") }
    var cards: [(String, String, String?)] = [
      ("Verdict", summary.grade.sign + " " + summary.status, "exit code \(summary.exit)")
    ]
    cards += levels
    cards += [
      ("Tolerance", report.tolerance, ignored),
      (
        "Layers", "\(passed) passed, \(failed) failed",
        "\(report.layers.count - passed - failed) skipped"
      ), ("Explained by", report.explainedBy?.pageName ?? "–", nil),
    ]
    return cards
  }

  /// Absolute levels of both files.
  private var levels: [(String, String, String?)] {
    guard let old = report.reference.levels, let new = report.test.levels else { return [] }
    func pair(_ one: Double?, _ other: Double?) -> String {
      PageText.figure(one, "", 1) + " → " + PageText.figure(other, "", 1)
    }
    var cards: [(String, String, String?)] = [
      ("Loudness, LUFS", pair(old.integrated, new.integrated), "reference → test"),
      ("True peak, dBTP", pair(old.truePeak, new.truePeak), "reference → test"),
    ]
    if let gain = report.matchedGainDB {
      cards.append(
        ("Gain of the test", PageText.figure(gain, "dB"), "to be as loud as the reference"))
    }
    return cards
  }

  private var loudness: [Markup] {
    guard let curves = report.curves else { return [] }
    let over = ComparisonCurvesFigure(curves: curves, id: context.id, isSmall: context.isSmall)
    return [over.loudness, over.difference].compactMap { $0 }
  }

  private var spectrum: [Markup] {
    guard let found = report.curves?.spectrum else { return [] }
    let figure = SpectrumFigure(
      spectrum: .init(
        frequenciesHz: found.frequenciesHz, inputDB: found.referenceDB, outputDB: found.testDB),
      id: context.id + "-bands", isSmall: context.isSmall, names: ("reference", "test")
    ).markup
    return figure.map { [$0] } ?? []
  }

  private var files: Markup {
    func row(_ name: String, _ party: ComparisonReport.Party) -> [PageTable.Cell] {
      [
        .init(name), .init(context.file(party.path)), .init(party.container), .init(party.codec),
        .init(party.layout), .init(PageText.rate(party.rate)),
        .init(PageText.count(party.samples)), party.pcmSHA256.map { .hash($0) } ?? .init("–"),
      ]
    }
    return PageTable(
      caption: "What was compared",
      columns: [
        .words("Role"), .words("File"), .words("Container"), .words("Codec"), .words("Layout"),
        .figures("Rate"), .figures("Samples"), .words("SHA-256 of the samples"),
      ], rows: [row("Reference", report.reference), row("Test", report.test)], isWide: true
    ).markup
  }

  private var layers: Markup {
    PageTable(
      caption: "Layers in the order they are judged",
      columns: [.words("Layer"), .words("Status"), .words("What happened"), .words("Rule")],
      rows: report.layers.map { layer in
        let happened = [layer.fault, layer.note].compactMap { $0 }.joined(separator: "; ")
        return [
          .init(layer.layer.pageName), .init(ComparisonSection.status(layer.status)),
          .init(happened.isEmpty ? "–" : happened), .init(layer.rule),
        ]
      }, isWide: true
    ).markup
  }

  private static func status(_ status: LayerStatus) -> Markup {
    let (look, sign) =
      switch status {
      case .passed: ("good", "✓ ")
      case .failed: ("bad", "✗ ")
      case .skipped: ("", "– ")
      }
    return Markup(
      "span", ["class": "badge \(look)"],
      [Markup("span", ["aria-hidden": "true"], text: sign), Markup(status.rawValue)])
  }

  private var figures: [Markup] {
    report.layers.prefix(PageTable.mostRows).enumerated().flatMap { index, layer -> [Markup] in
      guard !layer.figures.isEmpty else { return [] }
      let isExact = ToleranceFigure.exactLayers.contains(layer.layer)
      let table = PageTable(
        caption: "Figures of the layer \(layer.layer.pageName)",
        columns: [
          .words("Figure"), .figures("Value"), .figures(isExact ? "Expected" : "Allowed"),
          .words("Unit"), .words("Kept"),
        ],
        rows: layer.figures.map { figure in
          let isKept = ToleranceFigure.isKept(figure, isExact: isExact)
          return [
            .init(figure.name), .init(ToleranceFigure.number(figure.value)),
            .init(ToleranceFigure.number(figure.limit)),
            .init(figure.unit.isEmpty ? "–" : figure.unit),
            .init(isKept.map { $0 ? "✓ yes" : "✗ no" } ?? "–"),
          ]
        }, hidesCaption: true)
      let picture = ToleranceFigure(layer: layer, id: "\(context.id)-bars\(index)").markup
      let heading = Markup(
        "h\(context.level + 1)", [:],
        [Markup(layer.layer.pageName), Markup(" "), ComparisonSection.status(layer.status)])
      return [
        Markup(
          "div", ["class": "layer"],
          [
            heading,
            Markup("div", ["class": "pair"], (picture.map { [$0] } ?? []) + [table.markup]),
          ])
      ]
    }
  }
}

extension ComparisonLayer {
  /// Name on pages, where `null` alone would read as an absent value.
  fileprivate var pageName: String { self == .null ? "null test" : rawValue }
}

/// Curves of both files of a comparison over time.
struct ComparisonCurvesFigure {
  let curves: ComparisonReport.Curves
  /// Makes ids unique.
  let id: String
  /// Small pictures have fewer points.
  let isSmall: Bool

  /// Short-term loudness, or momentary loudness of what is shorter than 3 s; `nil` for silence.
  var loudness: Markup? {
    let isLong = [curves.reference, curves.test].allSatisfy {
      $0.shortTerm.highest.contains { $0 != nil }
    }
    let (old, new) =
      isLong
      ? (curves.reference.shortTerm, curves.test.shortTerm)
      : (curves.reference.momentary, curves.test.momentary)
    let name = isLong ? "short-term loudness (3 s)" : "momentary loudness (400 ms)"
    return AnalysisFigure(
      title: "Loudness of both files over time",
      description:
        "\(ComparisonCurvesFigure.words("Reference", old)) \(ComparisonCurvesFigure.words("Test", new))",
      key: PlotKey(entries: [
        .init(label: "\(name), test", look: "after"),
        .init(label: "\(name), reference", look: "before"),
      ]), fields: [.init(name: "", curves: [("after", curve(new)), ("before", curve(old))])],
      unit: "LUFS", id: id + "-loudness", isSmall: isSmall, scale: ComparisonCurvesFigure.scale
    ).markup
  }

  /// Level of what remains when the reference is subtracted from the test.
  var difference: Markup? {
    guard let found = curves.differenceDB else { return nil }
    return AnalysisFigure(
      title: "Difference of both files over time",
      description: ComparisonCurvesFigure.words("Test minus reference", found, unit: "dBFS"),
      key: PlotKey(entries: [
        .init(label: "test minus reference at the best alignment, RMS", look: "difference")
      ]), fields: [.init(name: "", curves: [("difference", curve(found))])], unit: "dBFS",
      id: id + "-difference", isSmall: isSmall, scale: ComparisonCurvesFigure.scale
    ).markup
  }

  private func curve(_ values: RenderReport.Curves.Curve) -> RenderReport.Analysis.Curve {
    .init(intervalSeconds: curves.intervalSeconds, values: values)
  }

  /// At most 60 dB below the highest value: what is quieter is a pause, and would press the rest together.
  private static func scale(_ values: ClosedRange<Double>, _ height: Double) -> PlotAxis {
    let highest = max(-200, min(40, values.upperBound))
    let lowest = min(max(values.lowerBound, highest - 60), highest - 10)
    // A tick needs 20 pixels for its figure.
    let step = [2.0, 5, 10].first { (highest - lowest) / $0 <= height / 20 - 2 } ?? 20
    return PlotAxis(
      first: (lowest / step).rounded(.down) * step, last: (highest / step).rounded(.up) * step,
      step: step, start: height, end: 0)
  }

  private static func words(
    _ name: String, _ curve: RenderReport.Curves.Curve, unit: String = "LUFS"
  ) -> String {
    let values = curve.highest.compactMap { $0 }.filter(\.isFinite)
    guard let low = values.min(), let high = values.max() else { return "\(name): silence." }
    return "\(name): \(PageText.figure(low, "", 1)) to \(PageText.figure(high, unit, 1))."
  }
}

/// Figures of one layer of a comparison as bars, in multiples of their limits: a bar that reaches
/// beyond the line at 1 fails.
struct ToleranceFigure {
  let layer: ComparisonReport.Layer
  /// Makes ids unique.
  let id: String

  private static let row = 44.0
  /// The greatest ratio of figure to limit that is drawn to scale.
  private static let most = 2.0

  /// Layers whose figures must equal the expected ones: their bars would have no meaning.
  static let exactLayers: Set<ComparisonLayer> = [.structure, .samples]

  /// Whether a figure is within its limit, or equals it when `isExact` is set; `nil` when the
  /// figure has no limit and so decides nothing.
  static func isKept(_ figure: ComparisonReport.Figure, isExact: Bool) -> Bool? {
    guard isExact else { return Bar(figure).map { $0.ratio <= 1 } }
    guard let value = figure.value, let limit = figure.limit else { return nil }
    return value == limit
  }

  /// A value with as many digits as its size asks for.
  static func number(_ value: Double?) -> String {
    guard let value, value.isFinite, value.magnitude < 1e12 else { return "–" }
    if value == value.rounded() { return PageText.count(Int64(value)) }
    return SVGText.figure(value, value.magnitude >= 100 ? 0 : value.magnitude < 1 ? 3 : 2)
  }

  /// The figure; `nil` when the layer has no figure with a limit.
  var markup: Markup? {
    guard !ToleranceFigure.exactLayers.contains(layer.layer) else { return nil }
    let bars = layer.figures.compactMap(Bar.init)
    guard !bars.isEmpty else { return nil }
    let height = Double(bars.count) * ToleranceFigure.row
    let title = "Layer \(layer.layer): figures in units of what is allowed"
    return Markup(
      "figure", [:],
      [
        Markup(
          "svg",
          [
            "xmlns": "http://www.w3.org/2000/svg", "class": "plot bars", "role": "img",
            "width": "100%", "height": SVGText.coordinate(height + 30),
            "aria-labelledby": "\(id)-t \(id)-d",
          ],
          [
            Markup("title", ["id": id + "-t"], text: title),
            Markup("desc", ["id": id + "-d"], text: bars.map(\.text).joined(separator: "; ")),
          ] + scale(height) + bars.enumerated().flatMap { bar($1, Double($0)) })
      ])
  }

  /// One figure, and its ratio to its limit.
  struct Bar {
    let text: String
    /// Figure divided by limit; infinite where the limit is 0 and the figure isn't.
    let ratio: Double

    /// A bar; `nil` for a figure without value or limit.
    init?(_ figure: ComparisonReport.Figure) {
      guard let value = figure.value, let limit = figure.limit, value.isFinite, limit.isFinite
      else { return nil }
      if figure.name == "cutoff" {
        // The cut-off frequency must be at least the limit, so the ratio is the other way round.
        ratio = value > 0 ? limit / value : .infinity
      } else if figure.unit == "dB", limit < 0 {
        // For levels, the ratio is that of the amplitudes.
        ratio = pow(10, (value - limit) / 20)
      } else {
        ratio = limit > 0 ? value.magnitude / limit : value == 0 ? 0 : .infinity
      }
      let unit = figure.unit.isEmpty ? "" : " " + figure.unit
      let sign = ratio > 1 ? "✗" : "✓"
      text =
        "\(sign) \(figure.name) \(ToleranceFigure.number(value))\(unit), "
        + "allowed \(ToleranceFigure.number(limit))\(unit)"
    }
  }

  private func scale(_ height: Double) -> [Markup] {
    [(0, "0"), (0.5, "½"), (1, "allowed"), (1.5, "1½"), (2, "2×")].flatMap { at, name -> [Markup] in
      let place = PlotSheet.percent(at / ToleranceFigure.most)
      return [
        Markup(
          "line",
          [
            "class": at == 1 ? "limit" : "grid", "x1": place, "x2": place, "y1": "0",
            "y2": SVGText.coordinate(height),
          ]),
        Markup(
          "text",
          [
            "x": place, "y": SVGText.coordinate(height + 20),
            "text-anchor": at == 0 ? "start" : at == 2 ? "end" : "middle",
          ], text: name),
      ]
    }
  }

  private func bar(_ bar: Bar, _ index: Double) -> [Markup] {
    let isOver = bar.ratio > 1
    let isCut = bar.ratio > ToleranceFigure.most
    let width = min(1, max(0.004, bar.ratio / ToleranceFigure.most))
    let top = index * ToleranceFigure.row
    var marks = [
      Markup(
        "text", ["class": "label", "x": "2", "y": SVGText.coordinate(top + 15)], text: bar.text),
      Markup(
        "rect",
        [
          "class": isOver ? "over" : "within", "x": "0", "y": SVGText.coordinate(top + 22),
          "width": PlotSheet.percent(width), "height": "12",
        ]),
    ]
    if isCut {
      // An arrow shows that the bar's true length is beyond the scale.
      marks.append(
        Markup(
          "svg", ["x": "100%", "y": SVGText.coordinate(top + 28), "overflow": "visible"],
          [Markup("path", ["class": "beyond", "d": "M-14-4l5 4-5 4M-8-4l5 4-5 4"])]))
    }
    return marks
  }
}
