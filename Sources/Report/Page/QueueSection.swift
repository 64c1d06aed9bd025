// SPDX-License-Identifier: Apache-2.0
import Platform

/// The items of a queue: a picture of the time line, a table, and the chapters.
struct QueueSection {
  let queue: QueueReport
  /// The gain in dB of the whole in the first output.
  let gain: Double
  let context: SectionContext

  /// The picture and the tables.
  var parts: [Markup] {
    [QueueFigure(queue: queue, id: context.id + "-queue").markup, items]
      + (queue.former.map { [changes(of: $0)] } ?? [])
      + (queue.chapters.isEmpty ? [] : [chapters])
  }

  private func time(_ samples: Int64) -> String {
    PageText.duration(Double(samples) / Double(max(1, queue.rate)))
  }

  private var items: Markup {
    PageTable(
      caption: "Items of the queue",
      columns: [
        .figures("No."), .words("Item"), .figures("Begins"), .figures("Lasts"),
        .figures("First sample"), .figures("Samples"), .words("Source"), .words("Join"),
        .words("Level"),
      ],
      rows: queue.items.map { item in
        [
          .init(String(item.number)),
          .init(Markup.name(item.title ?? item.source?.path ?? "silence")),
          .init(time(item.start)), .init(time(item.samples)), .init(PageText.count(item.start)),
          .init(PageText.count(item.samples)), .init(source(item)), .init(join(item)),
          .init(level(item)),
        ]
      }, isWide: true
    ).markup
  }

  private func source(_ item: QueueReport.Item) -> String {
    guard let source = item.source else { return "–" }
    var words = ["\(source.rate) Hz", source.layout]
    if source.counted == true { words.append("length counted") }
    if source.reused == true { words.append("from the cache") }
    return words.joined(separator: ", ")
  }

  private func join(_ item: QueueReport.Item) -> String {
    var words: [String] = []
    if let overlap = item.crossfade { words.append("crossfade \(time(overlap))") }
    if let rise = item.fadeIn { words.append("fade in \(time(rise))") }
    if let fall = item.fadeOut { words.append("fade out \(time(fall))") }
    return words.isEmpty ? "cut" : words.joined(separator: ", ")
  }

  private func level(_ item: QueueReport.Item) -> String {
    var words: [String] = []
    if let gain = item.gainDB { words.append(PageText.figure(gain, "dB", 2)) }
    if let gain = item.loudnessGainDB {
      words.append(
        "\(PageText.figure(item.integrated, "LUFS", 2)), brought to its target by \(PageText.figure(gain, "dB", 2))"
      )
      if let limiter = item.limiter {
        words.append("limiter up to \(PageText.figure(limiter.maxReductionDB, "dB", 1))")
      }
      if let target = item.loudnessTarget, let reached = item.outputIntegrated {
        // The whole moves an item away from its target without missing it.
        let shift = self.gain
        let whole =
          shift.magnitude < 0.005 ? "" : " before \(PageText.figure(shift, "dB", 2)) for the whole"
        words.append(
          "target \(PageText.figure(target, "LUFS", 2))\(whole), delivered at "
            + PageText.figure(reached, "LUFS", 2))
      }
    }
    return words.isEmpty ? "as it is" : words.joined(separator: "; ")
  }

  private func changes(of former: QueueReport.Former) -> Markup {
    guard !former.changes.isEmpty else {
      return Markup(
        "p", ["class": "fine"],
        text: "✓ No sample before the gain differs from the run before, as the cache knows it.")
    }
    return PageTable(
      caption: "Samples before the gain that may differ from the run before",
      columns: [.figures("From"), .figures("To"), .figures("First sample"), .words("Why")],
      rows: former.changes.map { change in
        [
          .init(time(change.from)), .init(time(change.to)), .init(PageText.count(change.from)),
          .init(change.why),
        ]
      }
    ).markup
  }

  private var chapters: Markup {
    PageTable(
      caption: "Chapters",
      columns: [.figures("No."), .figures("Begins"), .words("Title")],
      rows: queue.chapters.enumerated().map { number, chapter in
        [
          .init(String(number + 1)), .init(PageText.duration(chapter.seconds)),
          .init(Markup.name(chapter.title)),
        ]
      }
    ).markup
  }
}

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
