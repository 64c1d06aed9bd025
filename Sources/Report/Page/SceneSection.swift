import Platform

/// The objects of an input: a table, and a picture of their ways.
struct SceneSection {
  let objects: [ObjectReport]
  let context: SectionContext

  /// The picture and the table.
  var parts: [Markup] {
    let figure = ScenePathsFigure(objects: objects, id: context.id + "-ways")
    let hasWays = objects.contains { $0.isSource && !($0.path ?? []).isEmpty }
    return (hasWays ? [figure.markup] : []) + [table]
  }

  /// A column with what it shows of an object and its number.
  private typealias Column = (head: PageTable.Column, cell: (Int, ObjectReport) -> Markup)

  private var table: Markup {
    let columns = facts + (objects.contains(where: isFree) ? [freedom] : []) + levels
    return PageTable(
      caption: "Objects, loudspeaker channels and sound fields of the input",
      columns: columns.map(\.head),
      rows: objects.enumerated().map { number, object in
        columns.map { .init($0.cell(number + 1, object)) }
      }, isWide: true
    ).markup
  }

  private var facts: [Column] {
    [
      (.figures("No."), { number, _ in Markup(String(number)) }),
      (.words("Name"), { Markup.name($1.name ?? $1.id ?? "–") }),
      (.words("Type"), { Markup(([$1.type] + ($1.kinds ?? [])).joined(separator: ", ")) }),
      (.figures("Begins"), { Markup($1.start.map { PageText.duration($0) } ?? "silent") }),
      (.figures("Ends"), { Markup(PageText.duration($1.end)) }),
      (.words("Where"), { Markup(SceneSection.place($1)) }),
      (.figures("Changes"), { Markup(PageText.count(Int64($1.changes))) }),
      (.words("Tracks"), { Markup(SceneSection.tracks($1)) }),
    ]
  }

  private var freedom: Column {
    (
      .words("May be changed"),
      { Markup(isFree($1) ? ($1.interaction?.words ?? []).joined(separator: ", ") : "–") }
    )
  }

  private func isFree(_ object: ObjectReport) -> Bool { object.interaction?.words.isEmpty == false }

  /// The levels, where some were measured: a probe doesn't decode.
  private var levels: [Column] {
    guard objects.contains(where: { $0.samplePeak != nil }) else { return [] }
    return [
      (.figures("Peak, dBFS"), { Markup(PageText.figure($1.samplePeak, "", 1)) }),
      (.figures("Loudness, LUFS"), { Markup(PageText.figure($1.integrated, "", 1)) }),
    ]
  }

  private static func tracks(_ object: ObjectReport) -> String {
    object.tracks.isEmpty ? "–" : object.tracks.map(String.init).joined(separator: ", ")
  }

  /// Ranges of the coordinates in words.
  private static func place(_ object: ObjectReport) -> String {
    guard let least = object.least, let greatest = object.greatest, least.count == 3,
      greatest.count == 3
    else { return "–" }
    let names =
      object.coordinates == "cartesian" ? ["X", "Y", "Z"] : ["azimuth", "elevation", "distance"]
    return names.indices.map { axis in
      let (low, high) = (SVGText.figure(least[axis], 2), SVGText.figure(greatest[axis], 2))
      return "\(names[axis]) " + (low == high ? low : "\(low) to \(high)")
    }.joined(separator: "; ")
  }
}

extension ObjectReport {
  /// Whether it is an object with a place of its own: neither a loudspeaker's nor an ear's channel, nor a field.
  var isSource: Bool { type == "object" }
}

/// The ways of an input's objects, seen from above and from the side. Channels for loudspeakers, which don't move,
/// aren't drawn.
///
/// Polar positions stand at their angles and distance, Cartesian ones at their place in the room. A dot is where
/// an object begins, a number tells which one it is.
struct ScenePathsFigure {
  /// Objects that get a number; more would cover each other.
  private static let mostNumbers = 40
  /// Height of text in pixels, as the style sheet has it.
  private static let textSize = 12.0
  /// How far above the frame the names of the axes' ends stand: clear of the numbers of what lies on it.
  private static let clearance = 21.0
  /// Pixels from the middle of a view to a distance of 1.
  private static let unit = 110.0
  private static let size = 290.0
  private static let top = 22.0

  /// A view onto the scene.
  private struct View {
    let title: String
    /// Names of the ends of the axes: left, right, top.
    let ends: (String, String, String)
    /// Pixels of its left edge.
    let left: Double
    /// Coordinates across and upwards of X, Y and Z.
    let project: ([Double]) -> (Double, Double)
  }

  /// Everything that the input holds, in the order of the table.
  let objects: [ObjectReport]
  /// Makes ids unique.
  let id: String

  private let views = [
    View(title: "From above", ends: ("left", "right", "front"), left: 0) { ($0[0], $0[1]) },
    View(title: "From the left", ends: ("front", "back", "up"), left: size + 20) {
      (-$0[1], $0[2])
    },
  ]

  /// A figure of `objects`.
  init(objects: [ObjectReport], id: String) {
    (self.objects, self.id) = (objects, id)
  }

  /// The figure.
  var markup: Markup {
    let width = 2 * ScenePathsFigure.size + 20
    let height = ScenePathsFigure.size + ScenePathsFigure.top
    return Markup(
      "figure", [:],
      [
        Markup(
          "svg",
          [
            "xmlns": "http://www.w3.org/2000/svg", "class": "plot scene", "role": "img",
            "viewBox": "0 0 \(SVGText.coordinate(width)) \(SVGText.coordinate(height))",
            "width": SVGText.coordinate(width), "aria-labelledby": "\(id)-t \(id)-d",
          ],
          [
            Markup("title", ["id": id + "-t"], text: "Ways of the objects"),
            Markup("desc", ["id": id + "-d"], text: description),
          ] + views.flatMap(draw)),
        Markup(
          "figcaption", ["class": "note"],
          text:
            "The listener is in the middle (+), the loudspeakers stand on the frame. A dot is where an "
            + "object begins; its number is that of the table. Where numbers would cover each other, the first "
            + "one is shown."),
      ])
  }

  private func draw(_ view: View) -> [Markup] {
    let middle = view.left + ScenePathsFigure.size / 2
    let centre = ScenePathsFigure.top + ScenePathsFigure.size / 2
    let unit = ScenePathsFigure.unit
    func text(_ words: String, _ x: Double, _ y: Double, _ anchor: String) -> Markup {
      Markup(
        "text",
        ["x": SVGText.coordinate(x), "y": SVGText.coordinate(y), "text-anchor": anchor],
        text: words)
    }
    let frame = Markup(
      "rect",
      [
        "class": "frame", "x": SVGText.coordinate(middle - unit),
        "y": SVGText.coordinate(centre - unit), "width": SVGText.coordinate(2 * unit),
        "height": SVGText.coordinate(2 * unit),
      ])
    let head = Markup(
      "path",
      [
        "class": "grid",
        "d": "M\(SVGText.coordinate(middle - 5)) \(SVGText.coordinate(centre))h10m-5 -5v10",
      ])
    let names = [
      text(view.title, view.left, 12, "start"),
      text(view.ends.0, middle - unit - 4, centre - unit - ScenePathsFigure.clearance, "start"),
      text(view.ends.1, middle + unit + 4, centre - unit - ScenePathsFigure.clearance, "end"),
      text(view.ends.2, middle, centre - unit - ScenePathsFigure.clearance, "middle"),
    ]
    let ways = objects.enumerated().compactMap { number, object in
      Way(object, number: number + 1) { point in
        let (across, up) = view.project(ScenePathsFigure.place(point, object.coordinates))
        return (middle + unit * across, centre - unit * up)
      }
    }
    // Numbers lie on top of dots, dots on top of ways, whichever object they belong to.
    return [frame, head] + names + ways.map(\.line) + ways.map(\.dot)
      + ScenePathsFigure.numbers(of: ways)
  }

  /// The numbers of the first objects; one that would cover another is left out.
  private static func numbers(of ways: [Way]) -> [Markup] {
    var placed: [(x: Double, y: Double, width: Double)] = []
    return ways.filter { $0.number <= mostNumbers }.compactMap { way in
      let text = String(way.number)
      let (x, y) = (way.start.0 + 5, way.start.1 - 4)
      let width = SVGText.width(text, size: textSize)
      let isFree = placed.allSatisfy {
        x >= $0.x + $0.width || $0.x >= x + width || abs(y - $0.y) >= textSize
      }
      guard isFree else { return nil }
      placed.append((x, y, width))
      return Markup(
        "text", ["class": "label", "x": SVGText.coordinate(x), "y": SVGText.coordinate(y)],
        text: text)
    }
  }

  /// The way of one object, where it is heard.
  private struct Way {
    let number: Int
    /// Pixels at which it begins.
    let start: (Double, Double)
    private let pixels: [(Double, Double)]

    /// The way of `object`, whose positions `place` turns into pixels; `nil` where it is never heard,
    /// and for what is no object.
    init?(_ object: ObjectReport, number: Int, _ place: ([Double]) -> (Double, Double)) {
      guard object.isSource else { return nil }
      let points = (object.path ?? []).filter { $0.gain > 0 && $0.position.count == 3 }
      pixels = points.map { place($0.position) }
      guard let start = pixels.first else { return nil }
      (self.number, self.start) = (number, start)
    }

    /// Its line.
    var line: Markup {
      let steps = pixels.enumerated().map { index, pixel in
        (index == 0 ? "M" : "L") + SVGText.coordinate(pixel.0) + " " + SVGText.coordinate(pixel.1)
      }
      return Markup("path", ["class": "after", "d": steps.joined()])
    }

    /// The dot at its beginning.
    var dot: Markup {
      Markup(
        "circle",
        [
          "class": "dot", "cx": SVGText.coordinate(start.0), "cy": SVGText.coordinate(start.1),
          "r": "3",
        ])
    }
  }

  /// X, Y and Z of a position, as far as ±1.25.
  private static func place(_ position: [Double], _ coordinates: String?) -> [Double] {
    var place = position
    if coordinates != "cartesian" {
      let (azimuth, elevation) = (position[0] * .pi / 180, position[1] * .pi / 180)
      place = [
        -sin(azimuth) * cos(elevation), cos(azimuth) * cos(elevation), sin(elevation),
      ].map { $0 * position[2] }
    }
    return place.map { min(1.25, max(-1.25, $0.isFinite ? $0 : 0)) }
  }

  private var description: String {
    let sources = objects.filter(\.isSource)
    let changing = sources.count { ($0.path ?? []).count > 1 }
    return "\(PageText.count(sources.count, "object")), of which \(changing) change."
  }
}
