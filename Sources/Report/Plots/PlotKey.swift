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
