/// A picture of a programme's loudness over time, as a standalone SVG 1.1 file.
///
/// Momentary and short-term loudness (EBU Tech 3341), integrated loudness, target and the gates of
/// ITU-R BS.1770-5. The bytes depend on the values alone. Long programmes are reduced to the least
/// and greatest value in each column of pixels, so the file stays below 300 kB.
public struct LoudnessPlot: Sendable {
  /// Heading, e.g. the file's name; any string.
  public var title: String
  /// Length of the programme, seconds.
  public var duration: Double
  /// The figures.
  public var levels: RenderReport.Levels
  /// The curves.
  public var series: RenderReport.Series
  /// Loudness that is aimed at, LUFS.
  public var target: Double?
  /// The relative gate of the integrated loudness, LUFS.
  public var relativeGate: Double?

  private static let width = 1200.0
  private static let height = 640.0
  private static let left = 64.0
  private static let right = 1164.0
  private static let top = 100.0
  private static let bottom = 548.0
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
  private static let absoluteStyle =
    "stroke=\"#4b5563\" stroke-width=\"1.2\" stroke-dasharray=\"10 3 2 3\""

  /// A plot of `series`, which lasts `duration` seconds.
  public init(
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
  public func svg() -> String {
    let time = timeAxis
    let level = levelAxis
    let lines =
      opening + heading + grid(time, level) + curves(time, level) + marks(level) + [note(level)]
      + PlotLegend(entries: legend(level)).elements(
        left: LoudnessPlot.left, right: LoudnessPlot.right, y: LoudnessPlot.bottom + 56)
    return (lines + ["</svg>"]).filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private var timeAxis: PlotAxis {
    let steps = Double(max(series.momentary.count, series.shortTerm.count))
    let length = max(duration.isFinite ? duration : 0, steps * series.intervalSeconds, 0.1)
    return .time(duration: length, start: LoudnessPlot.left, end: LoudnessPlot.right)
  }

  /// Covers every line but the absolute gate, and the curves but for the quietest hundredth of the
  /// short-term loudness: pauses would press everything else together.
  private var levelAxis: PlotAxis {
    let momentary = series.momentary.compactMap { $0 }.filter(\.isFinite)
    let shortTerm = series.shortTerm.compactMap { $0 }.filter(\.isFinite)
    let quiet = (shortTerm.isEmpty ? momentary : shortTerm).sorted()
    let lines = [levels.integrated, target, relativeGate].compactMap { $0 }.filter(\.isFinite)
    let highest = (lines + [momentary.max(), shortTerm.max()].compactMap { $0 }).max() ?? 0
    let floor = quiet.isEmpty ? highest - 40 : max(quiet[quiet.count / 100], -80)
    return .level(
      lowest: (lines + [floor]).reduce(floor, min) - 1, highest: min(highest + 1, 20),
      top: LoudnessPlot.top, bottom: LoudnessPlot.bottom)
  }

  private var opening: [String] {
    let (width, height) = (Int(LoudnessPlot.width), Int(LoudnessPlot.height))
    let (left, top) = (LoudnessPlot.left, LoudnessPlot.top)
    return [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"\(width)\" "
        + "height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\" fill=\"none\" "
        + "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">",
      "<title>Loudness of \(SVGText.escaped(title))</title>",
      "<defs><clipPath id=\"area\"><rect x=\"\(Int(left))\" y=\"\(Int(top))\" "
        + "width=\"\(Int(LoudnessPlot.right - left))\" "
        + "height=\"\(Int(LoudnessPlot.bottom - top))\"/></clipPath></defs>",
      "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>",
    ]
  }

  private var heading: [String] {
    let room = LoudnessPlot.right - LoudnessPlot.left
    let name = SVGText.escaped(SVGText.fitted(title, size: 20, width: room))
    let figures = [
      ("I", levels.integrated, " LUFS"), ("LRA", levels.range, " LU"),
      ("TP", levels.truePeak, " dBTP"), ("max. momentary", levels.momentaryMax, " LUFS"),
      ("max. short-term", levels.shortTermMax, " LUFS"),
    ].map { name, value, unit in
      name + " " + SVGText.figure(value) + (value?.isFinite == true ? unit : "")
    }
    return [
      text(name, LoudnessPlot.left, 38, "font-size=\"20\" font-weight=\"bold\""),
      text(
        figures.joined(separator: "  ·  "), LoudnessPlot.left, 66,
        "font-size=\"15\""),
    ]
  }

  private func grid(_ time: PlotAxis, _ level: PlotAxis) -> [String] {
    let (left, right) = (LoudnessPlot.left, LoudnessPlot.right)
    let (top, bottom) = (LoudnessPlot.top, LoudnessPlot.bottom)
    var data = ""
    var labels = [text("LUFS", left - 8, top - 14, "font-size=\"12\" text-anchor=\"end\"")]
    for tick in level.ticks {
      let y = level.position(tick)
      data += "M\(SVGText.coordinate(left)) \(SVGText.coordinate(y))H\(SVGText.coordinate(right))"
      labels.append(
        text(SVGText.figure(tick, 0), left - 8, y + 4.5, "font-size=\"13\" text-anchor=\"end\""))
    }
    for tick in time.ticks {
      let x = time.position(tick)
      data +=
        "M\(SVGText.coordinate(x)) \(SVGText.coordinate(top))V\(SVGText.coordinate(bottom + 5))"
      labels.append(
        text(time.clock(tick), x, bottom + 22, "font-size=\"13\" text-anchor=\"middle\""))
    }
    let frame =
      "<rect x=\"\(Int(left))\" y=\"\(Int(top))\" width=\"\(Int(right - left))\" "
      + "height=\"\(Int(bottom - top))\" stroke=\"#9ca3af\"/>"
    return ["<path d=\"\(data)\" stroke=\"#e2e5ea\"/>", frame] + labels
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
      // A band has its width from the programme; its edge only keeps it visible where it is thin.
      let look = curve.isBand ? "fill=\"\(bandColour)\" stroke=\"\(bandColour)\"" : lineStyle
      return "<path d=\"\(data)\" \(look) stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
    }
    return drawn.isEmpty ? [] : ["<g clip-path=\"url(#area)\" fill=\"none\">"] + drawn + ["</g>"]
  }

  /// The horizontal lines that lie on the scale; a white ground parts them from bands.
  private func marks(_ level: PlotAxis) -> [String] {
    let hasBands = isBand(level)
    return [
      (LoudnessPlot.absoluteGate, LoudnessPlot.absoluteStyle),
      (relativeGate, LoudnessPlot.relativeStyle), (target, LoudnessPlot.targetStyle),
      (levels.integrated, LoudnessPlot.integratedStyle),
    ].flatMap { value, style -> [String] in
      guard let value, level.contains(value) else { return [] }
      let y = SVGText.coordinate(level.position(value))
      let line =
        "<path d=\"M\(SVGText.coordinate(LoudnessPlot.left)) \(y)"
        + "H\(SVGText.coordinate(LoudnessPlot.right))\" "
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
    return text(
      why, (LoudnessPlot.left + LoudnessPlot.right) / 2,
      (LoudnessPlot.top + LoudnessPlot.bottom) / 2, "font-size=\"18\" text-anchor=\"middle\"")
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

  private func text(_ content: String, _ x: Double, _ y: Double, _ attributes: String) -> String {
    "<text x=\"\(SVGText.coordinate(x))\" y=\"\(SVGText.coordinate(y))\" fill=\"#1f2937\" "
      + "\(attributes)>\(content)</text>"
  }
}
