// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A picture of a programme's loudness over time, as a standalone SVG 1.1 file.
///
/// Momentary and short-term loudness (EBU Tech 3341), integrated loudness, target and the gates of
/// ITU-R BS.1770-5. The bytes depend on the values alone. Long programmes are reduced to the least
/// and greatest value in each column of pixels, so the file stays below 300 kB.
package struct LoudnessPlot: Sendable {
  /// Heading, e.g. the file's name; any string.
  package var title: String
  /// Length of the programme, seconds.
  package var duration: Double
  /// The figures.
  package var levels: RenderReport.Levels
  /// The curves.
  package var series: RenderReport.Series
  /// Loudness that is aimed at, LUFS.
  package var target: Double?
  /// The relative gate of the integrated loudness, LUFS.
  package var relativeGate: Double?
  /// Loudness and passages of the dialogue, which are shaded; `nil` where none was looked for.
  package var dialogue: DialogueLoudness?

  /// The absolute gate of ITU-R BS.1770-5, LUFS.
  private static let absoluteGate = -70.0

  private static let momentaryStyle = "stroke=\"#7fb2e5\" stroke-width=\"1\""
  private static let shortTermStyle = "stroke=\"#123f8c\" stroke-width=\"2\""
  private static let momentaryBand = "#b9d5f2"
  private static let shortTermBand = "#3f6fb5"
  private static let integratedStyle = "stroke=\"#c2410c\" stroke-width=\"1.6\""
  private static let targetStyle =
    "stroke=\"#15803d\" stroke-width=\"1.6\" stroke-dasharray=\"8 5\""
  private static let relativeStyle =
    "stroke=\"#7e22ce\" stroke-width=\"1.6\" stroke-dasharray=\"2 4\""
  private static let dialogueStyle = "stroke=\"#be185d\" stroke-width=\"1.6\""
  private static let certainShade = "#f9d7e6"
  private static let uncertainShade = "#f3f0f1"
  private static let absoluteStyle =
    "stroke=\"#4b5563\" stroke-width=\"1.2\" stroke-dasharray=\"10 3 2 3\""

  /// A plot of `series`, which lasts `duration` seconds.
  package init(
    title: String, duration: Double, levels: RenderReport.Levels, series: RenderReport.Series,
    target: Double? = nil, relativeGate: Double? = nil
  ) {
    self.title = title
    self.duration = duration
    self.levels = levels
    self.series = series
    self.target = target
    self.relativeGate = relativeGate
  }

  /// The whole file.
  package func svg() -> String {
    let time = timeAxis
    let level = levelAxis
    let lines =
      frame.opening + frame.heading(figures)
      + frame.grid(across: time, up: level, unit: "LUFS", label: time.clock)
      + passages(time) + curves(time, level) + marks(level) + [note(level)]
      + frame.legend(legend(level))
    return (lines + ["</svg>"]).filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private var timeAxis: PlotAxis {
    let steps = Double(max(series.momentary.count, series.shortTerm.count))
    let length = max(duration.isFinite ? duration : 0, steps * series.intervalSeconds, 0.1)
    return .time(duration: length, start: PlotFrame.left, end: PlotFrame.right)
  }

  /// Covers every line but the absolute gate, and the curves but for the quietest hundredth of the
  /// short-term loudness: pauses would press everything else together.
  private var levelAxis: PlotAxis {
    let momentary = series.momentary.compactMap { $0 }.filter(\.isFinite)
    let shortTerm = series.shortTerm.compactMap { $0 }.filter(\.isFinite)
    let quiet = (shortTerm.isEmpty ? momentary : shortTerm).sorted()
    let lines = [levels.integrated, target, relativeGate, dialogue?.dialogueLoudness].compactMap {
      $0
    }.filter(\.isFinite)
    let highest = (lines + [momentary.max(), shortTerm.max()].compactMap { $0 }).max() ?? 0
    let floor = quiet.isEmpty ? highest - 40 : max(quiet[quiet.count / 100], -80)
    return .level(
      lowest: (lines + [floor]).reduce(floor, min) - 1, highest: min(highest + 1, 20),
      top: PlotFrame.top, bottom: PlotFrame.bottom)
  }

  private var frame: PlotFrame { PlotFrame(title: title, subject: "Loudness of") }

  private var figures: [String] {
    [
      ("I", levels.integrated, " LUFS"), ("LRA", levels.range, " LU"),
      ("TP", levels.truePeak, " dBTP"), ("max. momentary", levels.momentaryMax, " LUFS"),
      ("max. short-term", levels.shortTermMax, " LUFS"),
    ].map { name, value, unit in
      name + " " + SVGText.figure(value) + (value?.isFinite == true ? unit : "")
    }
  }

  /// Shades behind passages of dialogue. Those that end in the same pixel as the next begins share a rectangle.
  private func passages(_ time: PlotAxis) -> [String] {
    let shades = [
      (false, LoudnessPlot.uncertainShade), (true, LoudnessPlot.certainShade),
    ]
    return shades.compactMap { certain, colour in
      let passages = (dialogue?.passages ?? []).filter { $0.certain == certain }
      let spans = PassageShade.spans(passages, time: time)
      guard !spans.isEmpty else { return nil }
      let (top, bottom) = (PlotFrame.top, PlotFrame.bottom)
      let data = spans.map { span in
        "M\(SVGText.coordinate(span.lowerBound)) \(SVGText.coordinate(top))"
          + "H\(SVGText.coordinate(span.upperBound))V\(SVGText.coordinate(bottom))"
          + "H\(SVGText.coordinate(span.lowerBound))Z"
      }.joined()
      return "<path d=\"\(data)\" fill=\"\(colour)\"/>"
    }
  }

  private func curves(_ time: PlotAxis, _ level: PlotAxis) -> [String] {
    let drawn = [
      (series.momentary, LoudnessPlot.momentaryStyle, LoudnessPlot.momentaryBand),
      (series.shortTerm, LoudnessPlot.shortTermStyle, LoudnessPlot.shortTermBand),
    ].compactMap { values, lineStyle, bandColour -> String? in
      let curve = PlotCurve(
        values: values, interval: series.intervalSeconds, time: time, level: level)
      let data = curve.outline
      guard !data.isEmpty else { return nil }
      // A band is as wide as the programme's range; its stroke only keeps it visible where it is
      // thin.
      let look = curve.isBand ? "fill=\"\(bandColour)\" stroke=\"\(bandColour)\"" : lineStyle
      return "<path d=\"\(data)\" \(look) stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
    }
    return drawn.isEmpty ? [] : ["<g clip-path=\"url(#area)\" fill=\"none\">"] + drawn + ["</g>"]
  }

  /// The horizontal lines within the scale; over a band, a white line below keeps them visible.
  private func marks(_ level: PlotAxis) -> [String] {
    let hasBands = isBand(level)
    return [
      (LoudnessPlot.absoluteGate, LoudnessPlot.absoluteStyle),
      (relativeGate, LoudnessPlot.relativeStyle), (target, LoudnessPlot.targetStyle),
      (levels.integrated, LoudnessPlot.integratedStyle),
      (dialogue?.dialogueLoudness, LoudnessPlot.dialogueStyle),
    ].flatMap { value, style -> [String] in
      guard let value, level.contains(value) else { return [] }
      let y = SVGText.coordinate(level.position(value))
      let line =
        "<path d=\"M\(SVGText.coordinate(PlotFrame.left)) \(y)"
        + "H\(SVGText.coordinate(PlotFrame.right))\" "
      let ground = line + "stroke=\"#ffffff\" stroke-width=\"4\"/>"
      return (hasBands ? [ground] : []) + [line + style + "/>"]
    }
  }

  /// Why there are no curves.
  private func note(_ level: PlotAxis) -> String {
    let hasCurves = series.momentary.contains { $0 != nil }
    guard !hasCurves else { return "" }
    let why =
      levels.short
      ? "shorter than 400 ms: measured as one block, without curves" : "silence: nothing to draw"
    return PlotFrame.text(
      why, (PlotFrame.left + PlotFrame.right) / 2,
      (PlotFrame.top + PlotFrame.bottom) / 2, "font-size=\"18\" text-anchor=\"middle\"")
  }

  private func isBand(_ level: PlotAxis) -> Bool {
    PlotCurve(
      values: series.momentary, interval: series.intervalSeconds, time: timeAxis, level: level
    ).isBand
  }

  private func legend(_ level: PlotAxis) -> [PlotLegend.Entry] {
    let hasShortTerm = series.shortTerm.contains { $0 != nil }
    let hasMomentary = series.momentary.contains { $0 != nil }
    let isBand = isBand(level)
    func style(_ line: String, _ band: String) -> String {
      isBand ? "stroke=\"\(band)\" stroke-width=\"9\"" : line
    }
    var entries: [PlotLegend.Entry] = []
    if hasMomentary {
      let look = style(LoudnessPlot.momentaryStyle, LoudnessPlot.momentaryBand)
      entries.append(.init(label: "momentary (400 ms)", style: look))
    }
    if hasShortTerm {
      let look = style(LoudnessPlot.shortTermStyle, LoudnessPlot.shortTermBand)
      entries.append(.init(label: "short-term (3 s)", style: look))
    }
    for (name, value, style) in [
      ("integrated", levels.integrated, LoudnessPlot.integratedStyle),
      ("dialogue", dialogue?.dialogueLoudness, LoudnessPlot.dialogueStyle),
      ("target", target, LoudnessPlot.targetStyle),
      ("relative gate", relativeGate, LoudnessPlot.relativeStyle),
    ] {
      guard let value else { continue }
      entries.append(.init(label: "\(name) \(SVGText.figure(value))", style: style))
    }
    let isShown = level.contains(LoudnessPlot.absoluteGate)
    let gate = "absolute gate −70" + (isShown ? "" : ", below the scale")
    return entries + [.init(label: gate, style: LoudnessPlot.absoluteStyle)]
  }
}

/// Passages of dialogue as stretches of a time axis.
enum PassageShade {
  /// Stretches in pixels, in order; those less than a pixel apart are one.
  static func spans(_ passages: [DialogueLoudness.Passage], time: PlotAxis) -> [ClosedRange<Double>]
  {
    var spans: [ClosedRange<Double>] = []
    for passage in passages where passage.begin.isFinite && passage.end >= passage.begin {
      let place = { min(time.end, max(time.start, time.position($0))) }
      let (begin, end) = (place(passage.begin), place(passage.end))
      if let last = spans.last, begin - last.upperBound < 1 {
        spans[spans.count - 1] = last.lowerBound...max(last.upperBound, end)
      } else {
        spans.append(begin...end)
      }
    }
    return spans
  }
}

/// The outline of a curve: a line, or a band of minima and maxima where it has more points than the
/// plot has columns of pixels.
struct PlotCurve {
  /// Values at the end of each step; `nil` breaks the curve.
  let values: [Double?]
  /// Length of a step, seconds.
  let interval: Double
  let time: PlotAxis
  let level: PlotAxis

  /// Whether the outline encloses an area that is to be filled.
  var isBand: Bool { Double(values.count) > 2 * (time.end - time.start) }

  /// Path data in pixels.
  var outline: String { isBand ? band : line }

  private var line: String {
    var data = ""
    var run: [String] = []
    func close() {
      // A point without neighbours would be invisible.
      if run.count == 1 { data += "M" + run[0] + "m-4 0h8" }
      if run.count > 1 { data += "M" + run[0] + "L" + run.dropFirst().joined(separator: " ") }
      run = []
    }
    for (index, value) in values.enumerated() {
      if let value, value.isFinite { run.append(point(x(index), y(value))) } else { close() }
    }
    close()
    return data
  }

  private var band: String {
    var data = ""
    var upper: [String] = []
    var lower: [String] = []
    func close() {
      if let first = upper.first {
        let rest = upper.dropFirst() + lower.reversed()
        data += "M" + first + "L" + rest.joined(separator: " ") + "Z"
      }
      upper = []
      lower = []
    }
    for (index, extremes) in columns().enumerated() {
      guard let extremes else {
        close()
        continue
      }
      let middle = time.start + Double(index) + 0.5
      upper.append(point(middle, y(extremes.upperBound)))
      lower.append(point(middle, y(extremes.lowerBound)))
    }
    close()
    return data
  }

  /// Least and greatest value of each column of pixels.
  private func columns() -> [ClosedRange<Double>?] {
    let count = max(1, Int(time.end - time.start))
    var result = [ClosedRange<Double>?](repeating: nil, count: count)
    for (index, value) in values.enumerated() {
      guard let value, value.isFinite else { continue }
      let column = min(count - 1, max(0, Int(x(index) - time.start)))
      let old = result[column] ?? value...value
      result[column] = min(old.lowerBound, value)...max(old.upperBound, value)
    }
    return result
  }

  private func x(_ index: Int) -> Double { time.position(Double(index + 1) * interval) }

  /// Clamps values to 5 LU below the scale: the rest of the line would be cut off anyway.
  private func y(_ value: Double) -> Double { level.position(max(value, level.first - 5)) }

  private func point(_ x: Double, _ y: Double) -> String {
    SVGText.coordinate(x) + " " + SVGText.coordinate(y)
  }
}
