// SPDX-License-Identifier: Apache-2.0

/// The sheet of a plot: its size, the area of the curves, and what every plot draws around them.
struct PlotFrame {
  // Pixels: the sheet, then the edges of the area of the curves.
  static let width = 1200.0
  static let height = 640.0
  static let left = 64.0
  static let right = 1164.0
  static let top = 100.0
  static let bottom = 548.0
  /// Baseline of the legend's first row.
  static let legend = bottom + 56

  /// Heading, e.g. a file's name; any string.
  let title: String
  /// Kind of the picture, for the file's own title.
  let subject: String

  /// Everything up to the background; the clip path `area` is that of the curves.
  var opening: [String] {
    let (width, height) = (Int(PlotFrame.width), Int(PlotFrame.height))
    return [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"\(width)\" "
        + "height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\" fill=\"none\" "
        + "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">",
      "<title>\(SVGText.escaped(subject)) \(SVGText.escaped(title))</title>",
      "<defs><clipPath id=\"area\"><rect x=\"\(Int(PlotFrame.left))\" y=\"\(Int(PlotFrame.top))\" "
        + "width=\"\(Int(PlotFrame.right - PlotFrame.left))\" "
        + "height=\"\(Int(PlotFrame.bottom - PlotFrame.top))\"/></clipPath></defs>",
      "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>",
    ]
  }

  /// The title and a line of `figures` below it.
  func heading(_ figures: [String]) -> [String] {
    let room = PlotFrame.right - PlotFrame.left
    let name = SVGText.escaped(SVGText.fitted(title, size: 20, width: room))
    return [
      PlotFrame.text(name, PlotFrame.left, 38, "font-size=\"20\" font-weight=\"bold\""),
      PlotFrame.text(figures.joined(separator: "  ·  "), PlotFrame.left, 66, "font-size=\"15\""),
    ]
  }

  /// Grid lines, the frame and the labels: `unit` stands above the upright axis `up`. `label` names
  /// a tick of the horizontal axis `across`; a tick without a name gets no mark below the frame.
  func grid(
    across: PlotAxis, up: PlotAxis, unit: String, label: (Double) -> String?
  ) -> [String] {
    let (left, right) = (PlotFrame.left, PlotFrame.right)
    let (top, bottom) = (PlotFrame.top, PlotFrame.bottom)
    var data = ""
    var labels = [PlotFrame.text(unit, left - 8, top - 14, "font-size=\"12\" text-anchor=\"end\"")]
    for tick in up.ticks {
      let y = up.position(tick)
      data += "M\(SVGText.coordinate(left)) \(SVGText.coordinate(y))H\(SVGText.coordinate(right))"
      labels.append(
        PlotFrame.text(
          SVGText.figure(tick, 0), left - 8, y + 4.5, "font-size=\"13\" text-anchor=\"end\""))
    }
    for tick in across.ticks {
      let x = across.position(tick)
      let name = label(tick)
      let end = name == nil ? bottom : bottom + 5
      data += "M\(SVGText.coordinate(x)) \(SVGText.coordinate(top))V\(SVGText.coordinate(end))"
      guard let name else { continue }
      labels.append(
        PlotFrame.text(name, x, bottom + 22, "font-size=\"13\" text-anchor=\"middle\""))
    }
    let frame =
      "<rect x=\"\(Int(left))\" y=\"\(Int(top))\" width=\"\(Int(right - left))\" "
      + "height=\"\(Int(bottom - top))\" stroke=\"#9ca3af\"/>"
    return ["<path d=\"\(data)\" stroke=\"#e2e5ea\"/>", frame] + labels
  }

  /// The legend: a sample and a name for each line.
  func legend(_ entries: [PlotLegend.Entry]) -> [String] {
    PlotLegend(entries: entries).elements(
      left: PlotFrame.left, right: PlotFrame.right, y: PlotFrame.legend)
  }

  /// Lines through points, cut at the area of the curves; a line of fewer than two points is left out. Points are pixels.
  static func lines(_ lines: [(points: [(x: Double, y: Double)], style: String)]) -> [String] {
    let paths = lines.filter { $0.points.count > 1 }.map { line in
      let words = line.points.map { SVGText.coordinate($0.x) + " " + SVGText.coordinate($0.y) }
      return
        "<path d=\"M\(words[0])L\(words.dropFirst().joined(separator: " "))\" \(line.style) stroke-linejoin=\"round\"/>"
    }
    return paths.isEmpty ? [] : ["<g clip-path=\"url(#area)\" fill=\"none\">"] + paths + ["</g>"]
  }

  /// One line of text with its baseline at `y`.
  static func text(
    _ content: String, _ x: Double, _ y: Double, _ attributes: String
  ) -> String {
    "<text x=\"\(SVGText.coordinate(x))\" y=\"\(SVGText.coordinate(y))\" fill=\"#1f2937\" "
      + "\(attributes)>\(content)</text>"
  }
}

/// The legend below a plot: a sample and a name for each line.
struct PlotLegend {
  /// One line of the plot.
  struct Entry {
    let label: String
    let style: String
  }

  private static let size = 13.0
  private static let sample = 28.0
  private static let gap = 22.0
  private static let rowHeight = 22.0

  let entries: [Entry]

  /// SVG elements from `left` to at most `right`, the first row's text on the baseline `y`.
  func elements(left: Double, right: Double, y: Double) -> [String] {
    var x = left
    var baseline = y
    var result: [String] = []
    for entry in entries {
      let width =
        PlotLegend.sample + 8 + SVGText.width(entry.label, size: PlotLegend.size)
      if x > left, x + width > right {
        x = left
        baseline += PlotLegend.rowHeight
      }
      let middle = SVGText.coordinate(baseline - 4.5)
      result.append(
        "<path d=\"M\(SVGText.coordinate(x)) \(middle)h\(SVGText.coordinate(PlotLegend.sample))\" "
          + "\(entry.style)/>")
      result.append(
        "<text x=\"\(SVGText.coordinate(x + PlotLegend.sample + 8))\" "
          + "y=\"\(SVGText.coordinate(baseline))\" fill=\"#1f2937\" "
          + "font-size=\"13\">"
          + "\(SVGText.escaped(entry.label))</text>")
      x += width + PlotLegend.gap
    }
    return result
  }
}
