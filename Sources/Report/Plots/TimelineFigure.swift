// SPDX-License-Identifier: Apache-2.0

/// How the decoded samples divide into start-up samples, the programme with its gaps, and padding.
/// Not to scale, because both ends would be too narrow to be seen; only gaps stand at their true
/// place within the programme.
struct TimelineFigure {
  let timeline: RenderReport.Timeline
  /// Makes ids unique.
  let id: String

  /// Most gaps drawn; the table has more.
  private static let mostGaps = 100
  private static let barTop = 26.0
  private static let barHeight = 30.0

  private struct Part {
    let name: String
    let look: String
    let samples: Int64
    let place: ClosedRange<Double>
  }

  /// Samples that lie between both ends.
  var valid: Int64 {
    // The counts come from a file: the sum of two huge ones mustn't overflow.
    let (ends, first) = timeline.priming.samples.addingReportingOverflow(timeline.padding)
    let (rest, second) = timeline.samplesIn.subtractingReportingOverflow(ends)
    return first || second ? 0 : max(0, rest)
  }

  /// The figure.
  var markup: Markup {
    let parts = parts
    return Markup(
      "figure", [:],
      [
        Markup(
          "svg",
          [
            "xmlns": "http://www.w3.org/2000/svg", "class": "plot map", "role": "img",
            "width": "100%", "height": "78", "aria-labelledby": "\(id)-t \(id)-d",
          ],
          [
            Markup("title", ["id": id + "-t"], text: "Timeline"),
            Markup("desc", ["id": id + "-d"], text: description),
          ] + parts.flatMap(block) + gaps(parts)),
        Markup(
          "figcaption", ["class": "note"],
          text: "Samples at the source's rate, in the order they were decoded; not to scale"
            + (timeline.gaps.isEmpty
              ? "." : ", but timestamp jumps (▼) lie at their place within the programme.")),
      ])
  }

  private var parts: [Part] {
    let start = timeline.priming.samples > 0 ? 0.16 : 0.0
    let end = timeline.padding > 0 ? 0.84 : 1.0
    var parts: [Part] = []
    if start > 0 {
      parts.append(
        Part(name: "priming", look: "cut", samples: timeline.priming.samples, place: 0...start))
    }
    parts.append(Part(name: "programme", look: "valid", samples: valid, place: start...end))
    if end < 1 {
      parts.append(Part(name: "padding", look: "cut", samples: timeline.padding, place: end...1))
    }
    return parts
  }

  private func block(_ part: Part) -> [Markup] {
    let (first, last) = (part.place.lowerBound, part.place.upperBound)
    let (x, anchor) =
      first == 0 && last < 1
      ? (0.0, "start") : first > 0 && last == 1 ? (1.0, "end") : ((first + last) / 2, "middle")
    // The programme's label stands in the middle of its part, whether or not both ends are drawn.
    let isProgramme = part.look == "valid"
    let place = PlotSheet.percent(isProgramme ? (first + last) / 2 : x)
    let side = isProgramme ? "middle" : anchor
    let bottom = TimelineFigure.barTop + TimelineFigure.barHeight
    return [
      Markup(
        "rect",
        [
          "class": part.look, "x": PlotSheet.percent(first),
          "y": SVGText.coordinate(TimelineFigure.barTop), "width": PlotSheet.percent(last - first),
          "height": SVGText.coordinate(TimelineFigure.barHeight),
        ]),
      Markup(
        "text",
        ["x": place, "y": SVGText.coordinate(TimelineFigure.barTop - 10), "text-anchor": side],
        text: part.name),
      Markup(
        "text",
        ["x": place, "y": SVGText.coordinate(bottom + 17), "text-anchor": side],
        text: PageText.count(part.samples)),
    ]
  }

  private func gaps(_ parts: [Part]) -> [Markup] {
    guard let place = parts.first(where: { $0.look == "valid" })?.place, timeline.samplesOut > 0
    else { return [] }
    return timeline.gaps.prefix(TimelineFigure.mostGaps).map { gap in
      let part = min(1, max(0, Double(gap.position) / Double(timeline.samplesOut)))
      let x = place.lowerBound + part * (place.upperBound - place.lowerBound)
      let (top, bottom) = (TimelineFigure.barTop, TimelineFigure.barTop + TimelineFigure.barHeight)
      return Markup(
        "svg", ["x": PlotSheet.percent(x), "overflow": "visible"],
        [
          Markup(
            "line",
            ["class": "gap", "y1": SVGText.coordinate(top), "y2": SVGText.coordinate(bottom)]),
          Markup("path", ["class": "gap", "d": "M-5 \(SVGText.coordinate(top - 7))h10l-5 8z"]),
        ])
    }
  }

  private var description: String {
    "\(PageText.count(timeline.priming.samples)) start-up samples are dropped, "
      + "\(PageText.count(valid)) belong to the programme, \(PageText.count(timeline.padding)) at the "
      + "end are dropped; \(PageText.count(timeline.gaps.count, "timestamp jump"))."
  }
}
