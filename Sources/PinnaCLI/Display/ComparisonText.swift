import Report
import Verify

/// A comparison for people: one line a layer, then the verdict.
enum ComparisonText {
  static func text(_ report: ComparisonReport, isBrief: Bool) -> String {
    let lines = isBrief ? [] : report.layers.map(line)
    return PlainText.lines(lines + [report.verdict])
  }

  private static func line(_ layer: ComparisonReport.Layer) -> String {
    let label = ComparisonLayer(rawValue: layer.layer)?.label ?? ""
    let head =
      Figures.padded(label, 4) + Figures.padded(layer.layer, 12) + Figures.padded(layer.status, 9)
    let figures = layer.figures.map(figure).joined(separator: ", ")
    let parts = [figures, layer.note ?? ""].filter { !$0.isEmpty }
    return head + parts.joined(separator: "; ")
  }

  private static func figure(_ figure: ComparisonReport.Figure) -> String {
    let unit = figure.unit.isEmpty ? "" : " " + figure.unit
    return figure.name + " " + number(figure.value) + unit
      + (figure.limit.map { " (\(number($0)))" } ?? "")
  }

  private static func number(_ value: Double?) -> String {
    guard let value else { return "-" }
    if value.rounded() == value, value.magnitude < 1e12 { return Figures.fixed(value, 0) }
    return Figures.fixed(value, value.magnitude < 1 ? 4 : 2)
  }
}
