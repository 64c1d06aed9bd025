// SPDX-License-Identifier: Apache-2.0

/// The section with the analysis of an output's samples.
struct AnalysisSection {
  let found: RenderReport.Analysis?
  /// Makes ids unique.
  let id: String
  /// Whether pictures have fewer points.
  let isSmall: Bool

  /// The tables; nothing without an analysis.
  var parts: [Markup] {
    guard let found else { return [] }
    let parts: [Markup?] = [
      found.bandLimit.map { Markup("p", [:], text: "\($0.sentence) (\($0.doubt))") },
      found.levels.flatMap {
        AnalysisFigure.levels($0, id: id + "-levels", isSmall: isSmall).markup
      },
      found.levels.map(levels),
      found.phase.flatMap { AnalysisFigure.phase($0, id: id + "-phase", isSmall: isSmall).markup },
      found.phase.map(phase), found.silence.map(silence), found.spectrogram.map(picture),
    ]
    return parts.compactMap { $0 }
  }

  private func levels(_ channels: [RenderReport.Analysis.Channel]) -> Markup {
    PageTable(
      caption: "Levels of the written samples",
      columns: [
        .words("Channel"), .figures("Peak, dBFS"), .figures("RMS, dBFS"), .figures("Crest, dB"),
        .figures("DC offset"), .figures("Clipped runs"),
      ],
      rows: channels.map { channel in
        [
          .init(channel.name), .init(PageText.figure(channel.peak, "", 1)),
          .init(PageText.figure(channel.rms, "", 1)),
          .init(PageText.figure(channel.crestDB, "", 1)),
          .init(PageText.figure(channel.dcOffset, "", 5)),
          .init(PageText.count(channel.clippedRuns)),
        ]
      }, isWide: true
    ).markup
  }

  private func phase(_ phase: RenderReport.Analysis.Phase) -> Markup {
    PageTable.facts(
      "Phase of \(phase.channels.joined(separator: " and "))",
      [
        ("Mean correlation", Markup(PageText.figure(phase.mean, "", 2))),
        ("Lowest correlation", Markup(PageText.figure(phase.lowest, "", 2))),
        (
          "Time below 0",
          Markup(PageText.figure(phase.shareBelowZero.map { 100 * $0 }, "%", 1))
        ), ("Lost in mono", Markup(PageText.figure(phase.monoLossDB, "dB", 1))),
      ]
    ).markup
  }

  private func silence(_ silence: RenderReport.Analysis.Silence) -> Markup {
    guard !silence.runs.isEmpty else {
      return Markup(
        "p", [:],
        text: "No silence of \(PageText.figure(silence.leastSeconds, "s", 1)) below "
          + PageText.figure(silence.thresholdDBFS, "dBFS", 0))
    }
    return PageTable(
      caption:
        "Silence below \(PageText.figure(silence.thresholdDBFS, "dBFS", 0)): \(PageText.count(silence.count)) runs",
      columns: [.figures("First sample"), .figures("Samples")],
      rows: silence.runs.prefix(100).map { run in
        [.init(PageText.count(run.first)), .init(PageText.count(run.samples))]
      }, isWide: false
    ).markup
  }

  private func picture(_ path: String) -> Markup {
    Markup("p", [:], [Markup("Spectrogram: "), .name(PageText.fileName(path))])
  }
}

/// The figure of `--analyze` over time: a panel with peak and RMS for each channel, or one with the correlation of two.
struct AnalysisFigure {
  /// One panel: its name, and curves with their looks, the later ones on top.
  struct Field {
    let name: String
    let curves: [(look: String, curve: RenderReport.Analysis.Curve)]
  }

  let title: String
  /// Description of the figure, in words.
  let description: String
  let key: PlotKey
  let fields: [Field]
  let unit: String
  /// Makes ids unique.
  let id: String
  /// Small pictures have fewer points.
  let isSmall: Bool
  /// The upright scale over `lowest` to `highest`, whose pixel 0 is the panel's top.
  let scale: (_ values: ClosedRange<Double>, _ height: Double) -> PlotAxis

  private static let top = 24.0
  private static let between = 30.0
  private var units: Double { isSmall ? 160 : 1000 }
  private var height: Double { fields.count > 2 || isSmall ? 70 : 120 }

  /// Levels of `channels`.
  static func levels(
    _ channels: [RenderReport.Analysis.Channel], id: String, isSmall: Bool
  ) -> AnalysisFigure {
    AnalysisFigure(
      title: "Peak and RMS of each channel over time",
      description: channels.map { channel in
        "\(channel.name): peak \(PageText.figure(channel.peak, "dBFS", 1)), RMS "
          + "\(PageText.figure(channel.rms, "dBFS", 1))."
      }.joined(separator: " "),
      key: PlotKey(entries: [
        .init(label: "peak", look: "momentary"), .init(label: "RMS", look: "after"),
      ]),
      fields: channels.map {
        Field(name: $0.name, curves: [("momentary", $0.peaks), ("after", $0.levels)])
      },
      unit: "dBFS", id: id, isSmall: isSmall
    ) { values, height in
      // Pauses would press everything else together.
      PlotAxis(
        first: max(-100, min(-40, (values.lowerBound / 20).rounded(.down) * 20)),
        last: max(0, min(40, (values.upperBound / 20).rounded(.up) * 20)), step: 20,
        start: height, end: 0)
    }
  }

  /// The correlation of two channels.
  static func phase(
    _ phase: RenderReport.Analysis.Phase, id: String, isSmall: Bool
  ) -> AnalysisFigure {
    let names = phase.channels.joined(separator: " and ")
    return AnalysisFigure(
      title: "Correlation of \(names) over time",
      description: "\(PageText.figure(phase.mean, "", 2)) on average, "
        + "\(PageText.figure(phase.lowest, "", 2)) at least.",
      key: PlotKey(entries: [.init(label: "correlation of \(names)", look: "after")]),
      fields: [Field(name: "", curves: [("after", phase.correlation)])],
      unit: "", id: id, isSmall: isSmall
    ) { _, height in PlotAxis(first: -1, last: 1, step: 1, start: height, end: 0) }
  }

  /// The figure; `nil` where all is silent.
  var markup: Markup? {
    let traces = fields.map { field in
      field.curves.map {
        ($0.look, CurveTrace($0.curve.values, interval: AnalysisFigure.interval($0.curve)))
      }
    }
    let steps = traces.flatMap { $0.flatMap { $0.1.steps.compactMap { $0 } } }
    guard let low = steps.map(\.lowerBound).min(), let high = steps.map(\.upperBound).max()
    else { return nil }
    let level = scale(low...high, height)
    let panels = zip(fields, traces).enumerated().map { index, pair in
      panel(pair.0.name, pair.1, level, top: AnalysisFigure.top + Double(index) * pitch)
    }
    return Markup(
      "figure", [:],
      [
        Markup("figcaption", [:], [key.markup]),
        PlotSheet(
          units: units, id: id, title: title, description: description,
          height: AnalysisFigure.top + Double(fields.count) * pitch - AnalysisFigure.between
            + PlotSheet.foot, ticks: PlotSheet.ticks(time), panels: panels, across: time.timeName
        ).markup,
      ])
  }

  private var pitch: Double { height + AnalysisFigure.between }

  private var time: PlotAxis {
    let lengths = fields.flatMap(\.curves).map {
      Double($0.curve.values.highest.count) * AnalysisFigure.interval($0.curve)
    }
    let length = lengths.max() ?? 0
    return .time(duration: length > 0 && length < 1e8 ? length : 0.1, start: 0, end: units)
  }

  /// The interval comes from a file and may be anything, but a step must have a positive length.
  private static func interval(_ curve: RenderReport.Analysis.Curve) -> Double {
    curve.intervalSeconds.isFinite && curve.intervalSeconds > 0 ? curve.intervalSeconds : 0.1
  }

  private func panel(
    _ name: String, _ traces: [(look: String, trace: CurveTrace)], _ level: PlotAxis, top: Double
  ) -> PlotSheet.Panel {
    var panel = PlotSheet.Panel(top: top, height: height, axis: level, unit: unit)
    panel.curves = traces.flatMap { look, trace -> [Markup] in
      var trace = trace
      trace.isCoarse = isSmall
      let outline = trace.outline(time: time, level: level)
      guard outline.isBand else { return [Markup("path", ["class": look, "d": outline.data])] }
      let edge = Markup("path", ["class": look, "d": trace.edge(time: time, level: level)])
      let band = Markup("path", ["class": look + " band", "d": outline.data])
      return isSmall ? [edge] : [band, edge]
    }
    if !name.isEmpty {
      panel.marks = [Markup("text", ["class": "panel", "x": "0", "y": "-8"], text: name)]
    }
    return panel
  }
}
