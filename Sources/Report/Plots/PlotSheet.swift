// SPDX-License-Identifier: Apache-2.0

/// A plot that fits its width: curves stretch with the page, text keeps its size.
///
/// One or more panels, one below the other, share the horizontal scale. Their boxes are
/// ``PlotSheet/units`` wide and stretched without widening lines; ticks stand at percentages. The
/// upright scale's figures stand in the picture's padding, which the page's style sets like all colours
/// and strokes.
struct PlotSheet {
  /// A field with curves.
  struct Panel {
    /// Pixels from the top of the sheet, and height.
    let top: Double
    let height: Double
    /// Scale upwards: 0 is the panel's top.
    let axis: PlotAxis
    /// Unit of the scale, e.g. `LUFS`.
    let unit: String
    /// Curves, in units across and pixels down.
    var curves: [Markup] = []
    /// Marks on top of them, at percentages across and pixels down.
    var marks: [Markup] = []
  }

  /// Room below the last panel.
  static let foot = 26.0
  /// Height of the line with the name of the common scale.
  private static let line = 18.0

  /// Width of a panel in units.
  let units: Double
  /// Makes ids unique.
  let id: String
  let title: String
  /// Description of the plot, in words.
  let description: String
  let height: Double
  /// Names and places (0…1) of the ticks of the common scale; those that aren't major are left out
  /// where there is little room.
  let ticks: [(name: String, place: Double, isMajor: Bool)]
  let panels: [Panel]
  /// Name and unit of the common scale, below its ticks; empty where the ticks say them.
  var across = ""
  /// Parts outside of the panels.
  var extras: [Markup] = []

  /// The picture.
  var markup: Markup {
    Markup(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "plot chart", "role": "img",
        "width": "100%",
        "height": SVGText.coordinate(height + (across.isEmpty ? 0 : PlotSheet.line)),
        "aria-labelledby": "\(id)-t \(id)-d",
      ],
      [
        Markup("title", ["id": id + "-t"], text: title),
        Markup("desc", ["id": id + "-d"], text: description),
      ] + panels.enumerated().map { panel($1, isLast: $0 == panels.count - 1) } + name + extras)
  }

  private var name: [Markup] {
    guard !across.isEmpty else { return [] }
    return [
      Markup(
        "text",
        ["x": "50%", "y": SVGText.coordinate(height + 10), "text-anchor": "middle"], text: across)
    ]
  }

  /// Ticks of a time axis.
  static func ticks(_ time: PlotAxis) -> [(name: String, place: Double, isMajor: Bool)] {
    let values = time.ticks
    let every = max(1, (values.count + 4) / 5)
    return values.enumerated().map { index, value in
      (
        time.clock(value), (time.position(value) - time.start) / (time.end - time.start),
        index % every == 0
      )
    }
  }

  /// A place across, as an attribute.
  static func percent(_ place: Double) -> String { SVGText.fixed(place * 100, 2) + "%" }

  /// A line across a panel; its name stands in the key, where it covers no curve.
  static func level(_ y: Double, look: String) -> Markup {
    Markup(
      "line",
      [
        "class": look, "x1": "0", "x2": "100%", "y1": SVGText.coordinate(y),
        "y2": SVGText.coordinate(y),
      ])
  }

  private func panel(_ panel: Panel, isLast: Bool) -> Markup {
    let curves = Markup(
      "svg",
      [
        "viewBox": "0 0 \(SVGText.coordinate(units)) \(SVGText.coordinate(panel.height))",
        "preserveAspectRatio": "none", "width": "100%",
        "height": SVGText.coordinate(panel.height),
      ], [grid(panel)] + panel.curves)
    let frame = Markup(
      "rect",
      [
        "class": "frame", "width": "100%", "height": SVGText.coordinate(panel.height),
      ])
    return Markup(
      "svg",
      [
        "class": "area", "y": SVGText.coordinate(panel.top), "width": "100%",
        "height": SVGText.coordinate(panel.height), "overflow": "visible",
      ],
      levels(panel) + [curves, frame]
        + panel.marks + (isLast ? names(panel) : []))
  }

  /// Figures of the upright scale.
  private func levels(_ panel: Panel) -> [Markup] {
    let unit = Markup(
      "text", ["x": "-8", "y": "-8", "text-anchor": "end", "class": "unit"], text: panel.unit)
    return [unit]
      + panel.axis.ticks.map { tick in
        let y = SVGText.coordinate(panel.axis.position(tick) + 4)
        return Markup(
          "text", ["x": "-8", "y": y, "text-anchor": "end"], text: SVGText.figure(tick, 0))
      }
  }

  /// All grid lines of a panel as one path.
  private func grid(_ panel: Panel) -> Markup {
    let (width, height) = (SVGText.coordinate(units), SVGText.coordinate(panel.height))
    let levels = panel.axis.ticks.map {
      "M0 \(SVGText.coordinate(panel.axis.position($0)))H\(width)"
    }
    let uprights = ticks.map { "M\(SVGText.coordinate($0.place * units)) 0V\(height)" }
    return Markup("path", ["class": "grid", "d": (levels + uprights).joined()])
  }

  private func names(_ panel: Panel) -> [Markup] {
    ticks.map { tick in
      Markup(
        "text",
        [
          "class": tick.isMajor ? nil : "minor", "x": PlotSheet.percent(tick.place),
          "y": SVGText.coordinate(panel.height + 18),
          "text-anchor": tick.place > 0.97 ? "end" : "middle",
        ], text: tick.name)
    }
  }
}

/// The legend above a plot: a sample and a name for each line or area.
struct PlotKey {
  /// One line or area of the plot.
  struct Entry {
    let label: String
    /// Class of the line.
    let look: String
    /// Class of the area behind it.
    var area: String?
    /// Whether there is a line.
    var hasLine = true
  }

  let entries: [Entry]

  /// The list.
  var markup: Markup {
    Markup(
      "ul", ["class": "key"],
      entries.map { entry in
        let area = entry.area.map {
          Markup("rect", ["class": $0, "x": "1", "y": "2", "width": "26", "height": "9"])
        }
        let y = entry.area == nil ? "6" : "2"
        let line = Markup("line", ["class": entry.look, "x1": "1", "x2": "27", "y1": y, "y2": y])
        return Markup(
          "li", [:],
          [
            Markup(
              "svg",
              [
                "width": "28", "height": "12", "aria-hidden": "true",
              ], [area, entry.hasLine ? line : nil].compactMap { $0 }), Markup(entry.label),
          ])
      })
  }
}
