import Platform

/// The items of a queue on the programme's time line: a bar for each, slanted where it fades, and marked where
/// its samples came from the cache.
struct QueueFigure {
  /// Items that are drawn; more would be thinner than a pixel.
  private static let mostItems = 400
  private static let width = 900.0
  private static let lane = 34.0
  private static let top = 18.0
  /// Width of a letter in pixels, about.
  private static let letter = 7.0

  /// The queue.
  let queue: QueueReport
  /// Makes ids unique.
  let id: String

  /// The figure.
  var markup: Markup {
    let height = QueueFigure.top + 2 * QueueFigure.lane + 26
    return Markup(
      "figure", [:],
      [
        Markup(
          "svg",
          [
            "xmlns": "http://www.w3.org/2000/svg", "class": "plot queue", "role": "img",
            "viewBox": "0 0 \(SVGText.coordinate(QueueFigure.width)) \(SVGText.coordinate(height))",
            "width": SVGText.coordinate(QueueFigure.width), "aria-labelledby": "\(id)-t \(id)-d",
          ],
          [
            Markup("title", ["id": id + "-t"], text: "Items on the time line"),
            Markup("desc", ["id": id + "-d"], text: description),
          ] + queue.items.prefix(QueueFigure.mostItems).flatMap(draw) + chapters + ends),
        Markup(
          "figcaption", ["class": "note"],
          text:
            "Each bar is an item with its number; neighbours lie in two rows, so that overlaps show. "
            + "Slanted ends are fades, dots are chapters"
            + (isCached ? ", and filled bars came from the cache." : ".")),
      ])
  }

  private var isCached: Bool { queue.items.contains { $0.source?.reused != nil } }

  private var description: String {
    let reused = queue.items.count { $0.source?.reused == true }
    return "\(queue.items.count) items in \(PageText.duration(seconds(queue.samples)))"
      + (isCached ? ", \(reused) of them from the cache." : ".")
  }

  private func seconds(_ samples: Int64) -> Double { Double(samples) / Double(max(1, queue.rate)) }

  private func x(_ sample: Int64) -> Double {
    Double(sample) / Double(max(1, queue.samples)) * QueueFigure.width
  }

  private func draw(_ item: QueueReport.Item) -> [Markup] {
    let row = QueueFigure.top + (item.number % 2 == 1 ? 0 : QueueFigure.lane)
    let (left, right) = (x(item.start), x(item.start + item.samples))
    let bottom = row + QueueFigure.lane - 8
    let rise = min(right, left + x(item.crossfade ?? item.fadeIn ?? 0))
    let fall = max(rise, right - x(item.fadeOut ?? 0))
    let points = [(left, bottom), (rise, row), (fall, row), (right, bottom)]
    let path =
      points.enumerated().map { index, point in
        (index == 0 ? "M" : "L") + SVGText.coordinate(point.0) + " " + SVGText.coordinate(point.1)
      }.joined(separator: " ") + " Z"
    let isSilent = item.source == nil
    var marks = [
      Markup(
        "path",
        [
          "d": path, "fill": item.source?.reused == true ? "currentColor" : "none",
          "fill-opacity": "0.18", "stroke": "currentColor",
          "stroke-dasharray": isSilent ? "3 3" : nil,
        ])
    ]
    let name = "\(item.number)"
    if right - left > Double(name.utf8.count + 1) * QueueFigure.letter {
      marks.append(text(name, (left + right) / 2, bottom - 8, "middle"))
    }
    return marks
  }

  private var chapters: [Markup] {
    queue.chapters.prefix(QueueFigure.mostItems).map { chapter in
      Markup(
        "circle",
        [
          "cx": SVGText.coordinate(x(Int64(chapter.seconds * Double(queue.rate)))),
          "cy": SVGText.coordinate(QueueFigure.top - 8), "r": "3", "fill": "currentColor",
        ])
    }
  }

  private var ends: [Markup] {
    let line = QueueFigure.top + 2 * QueueFigure.lane + 16
    return [
      text("0", 0, line, "start"),
      text(PageText.duration(seconds(queue.samples)), QueueFigure.width, line, "end"),
    ]
  }

  private func text(_ words: String, _ x: Double, _ y: Double, _ anchor: String) -> Markup {
    Markup(
      "text",
      [
        "x": SVGText.coordinate(x), "y": SVGText.coordinate(y), "text-anchor": anchor,
        "fill": "currentColor",
      ], text: words)
  }
}
