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
