// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Loudness before and after, the limiter's work and the true peaks over one time axis.
struct LoudnessFigure {
  /// Length of the output, seconds; `nil` takes that of the curves.
  let length: Double?
  /// Curves of the report beside the loudness of the delivered programme.
  let stored: RenderReport.Curves?
  let loudness: RenderReport.Loudness
  /// Makes ids unique.
  let id: String
  /// Small pictures have fewer points.
  let isSmall: Bool
  /// Whether nothing but a measurement is drawn, which has no before and after.
  var isMeasured = false
  /// Dialogue whose passages are shaded; `nil` where none was looked for.
  var dialogue: DialogueLoudness?
  /// Gain over time that levels the programme; `nil` for none.
  var levelling: Levelling?

  /// Two rows of peaks, and the unit of the scale below them, which stands alone over a measurement.
  private var top: Double { isMeasured ? 22 : 62 }
  private var units: Double { isSmall ? 160 : 1000 }
  private var height: Double { isSmall ? 180 : 260 }
  private var reductionHeight: Double { isSmall ? 56 : 84 }
  private static let between = 30.0

  /// The figure; `nil` when there is nothing to draw.
  var markup: Markup? {
    let curves = curves
    guard !curves.isEmpty else { return nil }
    let title = "Loudness over time" + (isMeasured ? "" : ", before and after")
    return Markup(
      "figure", [:],
      [
        Markup("figcaption", [:], [key(curves).markup]),
        PlotSheet(
          units: units, id: id, title: title, description: description, height: wholeHeight,
          ticks: PlotSheet.ticks(time), panels: panels(curves), across: time.timeName
        ).markup,
      ])
  }

  private struct Curve {
    let label: String
    let look: String
    let trace: CurveTrace
    let outline: (data: String, isBand: Bool)
  }

  private var duration: Double {
    let steps = Double(loudness.series.map { max($0.momentary.count, $0.shortTerm.count) } ?? 0)
    let drawn = steps * (loudness.series?.intervalSeconds ?? 0)
    let before = Double(stored?.inputMomentary.highest.count ?? 0) * beforeInterval
    let length = self.length ?? max(drawn, before)
    return length.isFinite && length > 0 && length < 1e8 ? length : 0.1
  }

  private var time: PlotAxis { .time(duration: duration, start: 0, end: units) }

  /// The interval comes from a file and may be anything, but a step must have a positive length.
  private var beforeInterval: Double {
    let interval = stored?.intervalSeconds ?? 0.1
    return interval.isFinite && interval > 0 ? interval : 0.1
  }

  private var afterInterval: Double {
    let interval = loudness.series?.intervalSeconds ?? 0.1
    return interval.isFinite && interval > 0 ? interval : 0.1
  }

  private var afterwards: String { isMeasured ? "" : ", after" }

  private var traces: [(label: String, look: String, trace: CurveTrace)] {
    let after = loudness.series
    let before = stored
    let hasShortTerm =
      (after?.shortTerm.contains { $0 != nil } ?? false)
      || (before?.inputShortTerm.highest.contains { $0 != nil } ?? false)
    var traces: [(String, String, CurveTrace)] = []
    if let after {
      traces.append(
        (
          "momentary (400 ms)" + afterwards, hasShortTerm ? "momentary" : "after",
          CurveTrace(after.momentary, interval: afterInterval)
        ))
    }
    if let before {
      let curve = hasShortTerm ? before.inputShortTerm : before.inputMomentary
      traces.append(
        (
          hasShortTerm ? "short-term (3 s), before" : "momentary (400 ms), before", "before",
          CurveTrace(curve, interval: beforeInterval)
        ))
    }
    if let after, hasShortTerm {
      traces.append(
        (
          "short-term (3 s)" + afterwards, "after",
          CurveTrace(after.shortTerm, interval: afterInterval)
        ))
    }
    // Small pictures leave out the momentary curve, because it tells the reader least.
    return traces.filter { !$0.2.isEmpty && !(isSmall && $0.1 == "momentary") }.map {
      label, look, trace in
      var trace = trace
      trace.isCoarse = isSmall
      return (label, look, trace)
    }
  }

  private var level: PlotAxis {
    let drawn = traces.filter { $0.look != "momentary" }.flatMap {
      $0.trace.steps.compactMap { $0 }
    }
    let all = traces.flatMap { $0.trace.steps.compactMap { $0?.upperBound } }
    let quiet = drawn.map(\.lowerBound).sorted()
    let lines = [loudness.target, loudness.output.integrated].compactMap { $0 }
      .filter { $0.isFinite && $0.magnitude < 200 }
    let highest = (lines + [all.max() ?? -20]).max() ?? -20
    let floor = quiet.isEmpty ? highest - 40 : max(quiet[quiet.count / 100], -80)
    return .level(
      lowest: (lines + [floor]).reduce(floor, min) - 1, highest: min(highest + 1, 20), top: 0,
      bottom: height)
  }

  private var curves: [Curve] {
    let (time, level) = (time, level)
    return traces.map { trace in
      Curve(
        label: trace.label, look: trace.look, trace: trace.trace,
        outline: trace.trace.outline(time: time, level: level))
    }
  }

  private var reduction: [Double]? {
    stored?.gainReductionDB.flatMap { steps in
      steps.contains { $0 > 0 && $0.isFinite } ? steps : nil
    }
  }

  private var wholeHeight: Double {
    top + height + PlotSheet.foot
      + Double(lowerPanels) * (LoudnessFigure.between + reductionHeight)
  }

  /// Panels below the loudness.
  private var lowerPanels: Int { (levelGain == nil ? 0 : 1) + (reduction == nil ? 0 : 1) }

  /// Gain in dB of each 100 ms, where some of them are changed.
  private var levelGain: [Double]? {
    levelling.flatMap { $0.gain.contains { $0 != 0 && $0.isFinite } ? $0.gain : nil }
  }

  private func panels(_ curves: [Curve]) -> [PlotSheet.Panel] {
    let level = level
    var main = PlotSheet.Panel(
      top: top, height: height, axis: level, unit: "LUFS")
    main.curves = shades + curves.flatMap(paths)
    if let target = loudness.target, level.contains(target) {
      main.marks.append(PlotSheet.level(level.position(target), look: "target"))
    }
    main.marks += peaks
    let upper = [main] + (levelGain.map { [levelPanel($0)] } ?? [])
    guard let reduction else { return upper }
    let deepest = min(200, reduction.filter(\.isFinite).max() ?? 0)
    let step = [1.0, 2, 3, 6, 10, 20].first { deepest / $0 <= 3 } ?? 50
    let axis = PlotAxis(
      first: -max(step, (deepest / step).rounded(.up) * step), last: 0, step: step,
      start: reductionHeight, end: 0)
    var limiter = PlotSheet.Panel(
      top: panelTop(upper.count - 1), height: reductionHeight, axis: axis, unit: "dB")
    var area = CurveTrace(reduction.map { -$0 }, interval: beforeInterval)
    area.isCoarse = isSmall
    limiter.curves = [
      Markup("path", ["class": "limiter", "d": area.area(time: time, level: axis, base: 0)])
    ]
    limiter.marks = [
      Markup(
        "text", ["class": "panel", "x": "0", "y": "-8"], text: "Gain reduction by the limiter")
    ]
    return upper + [limiter]
  }

  /// Pixels from the top of the sheet to panel number `index` below the loudness.
  private func panelTop(_ index: Int) -> Double {
    top + height + LoudnessFigure.between
      + Double(index) * (LoudnessFigure.between + reductionHeight)
  }

  /// The gain that levels the programme.
  private func levelPanel(_ gain: [Double]) -> PlotSheet.Panel {
    let largest = min(200, gain.filter(\.isFinite).map(\.magnitude).max() ?? 0)
    let step = [1.0, 2, 3, 6, 10, 20].first { largest / $0 <= 2 } ?? 50
    let reach = max(step, (largest / step).rounded(.up) * step)
    let axis = PlotAxis(first: -reach, last: reach, step: step, start: reductionHeight, end: 0)
    var panel = PlotSheet.Panel(
      top: panelTop(0), height: reductionHeight, axis: axis, unit: "dB")
    var trace = CurveTrace(gain.map { $0 }, interval: 0.1)
    trace.isCoarse = isSmall
    let outline = trace.outline(time: time, level: axis)
    let look = outline.isBand ? "after band" : "after"
    panel.curves = [Markup("path", ["class": look, "d": outline.data])]
    panel.marks = [
      Markup(
        "text", ["class": "panel", "x": "0", "y": "-8"], text: "Gain that levels the programme")
    ]
    return panel
  }

  /// Shades behind passages of dialogue: those whose speech isn't certain are paler.
  private var shades: [Markup] {
    let time = time
    return [("spoken doubtful", false), ("spoken", true)].compactMap { look, certain in
      let passages = (dialogue?.passages ?? []).filter { $0.certain == certain }
      let data = PassageShade.spans(passages, time: time).map { span in
        "M\(SVGText.coordinate(span.lowerBound)) 0H\(SVGText.coordinate(span.upperBound))"
          + "V\(SVGText.coordinate(height))H\(SVGText.coordinate(span.lowerBound))Z"
      }.joined()
      return data.isEmpty ? nil : Markup("path", ["class": look, "d": data])
    }
  }

  /// A line, or the shade of a band with a line along its upper edge.
  private func paths(_ curve: Curve) -> [Markup] {
    guard curve.outline.isBand else {
      return [Markup("path", ["class": curve.look, "d": curve.outline.data])]
    }
    let band = Markup("path", ["class": curve.look + " band", "d": curve.outline.data])
    guard curve.look != "momentary" else { return [band] }
    let edge = curve.trace.edge(time: time, level: level)
    let line = Markup("path", ["class": curve.look, "d": edge])
    return isSmall ? [line] : [band, line]
  }

  /// Triangles above the plot at the times of the true peaks, and the figures of each in its own
  /// row.
  private var peaks: [Markup] {
    [
      ("before", loudness.input.truePeak, stored?.inputTruePeakSeconds, -46.0),
      ("after", loudness.output.truePeak, stored?.outputTruePeakSeconds, -30.0),
    ].compactMap { name, peak, seconds, y -> Markup? in
      guard let peak, let seconds, seconds.isFinite, peak.isFinite else { return nil }
      let place = min(1, max(0, seconds / duration))
      let isLate = place > 0.5
      return Markup(
        "svg", ["x": PlotSheet.percent(place), "overflow": "visible"],
        [
          Markup("line", ["class": "peak " + name, "y1": SVGText.coordinate(y + 4), "y2": "0"]),
          Markup(
            "path", ["class": "peak " + name, "d": "M-5 \(SVGText.coordinate(y - 6))h10l-5 9z"]),
          Markup(
            "text",
            [
              "class": "label", "x": isLate ? "-9" : "9", "y": SVGText.coordinate(y + 2),
              "text-anchor": isLate ? "end" : "start",
            ],
            [
              // Narrow pages have no room for more than the figure.
              Markup("tspan", ["class": "minor"], text: "true peak "),
              Markup("\(name) \(SVGText.figure(peak, 2)) dBTP"),
            ]),
        ])
    }
  }

  private func key(_ curves: [Curve]) -> PlotKey {
    var entries = curves.reversed().map { curve in
      PlotKey.Entry(
        label: curve.label, look: curve.look,
        area: curve.outline.isBand && !isSmall ? curve.look + " band" : nil,
        hasLine: curve.outline.isBand
          ? curve.look != "momentary" : true)
    }
    if let target = loudness.target {
      entries.append(.init(label: "target \(SVGText.figure(target)) LUFS", look: "target"))
    }
    if dialogue?.passages.contains(where: \.certain) == true {
      entries.append(.init(label: "dialogue", look: "spoken", area: "spoken", hasLine: false))
    }
    if reduction != nil {
      entries.append(
        .init(label: "gain reduction", look: "limiter", area: "limiter", hasLine: false))
    }
    return PlotKey(entries: entries)
  }

  private var description: String {
    var parts = [
      "\(PageText.duration(duration)) of programme.",
      isMeasured
        ? "Integrated loudness \(PageText.figure(loudness.output.integrated, "LUFS"))."
        : "Integrated loudness \(PageText.figure(loudness.input.integrated, "LUFS")) before and "
          + "\(PageText.figure(loudness.output.integrated, "LUFS")) after.",
    ]
    if let target = loudness.target {
      parts.append("Target \(PageText.figure(target, "LUFS", 1)).")
    }
    if let limiter = loudness.limiter {
      parts.append(
        "The limiter reduces the gain by up to \(PageText.figure(limiter.maxReductionDB, "dB")).")
    }
    return parts.joined(separator: " ")
  }
}
