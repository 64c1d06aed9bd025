// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The ways of an input's objects, seen from above and from the left, with a colour for each fifth of the time.
/// Channels for loudspeakers, which don't move, aren't drawn.
///
/// Polar positions stand at their angles and distance, Cartesian ones at their place in the room. A dot is where
/// an object begins, a ring where a moving one ends; the numbers beside a dot are those of the table.
struct ScenePathsFigure {
  /// Colours of the time.
  static let phases = 5
  /// Dots closer than this, in pixels, would cover each other and share a label.
  private static let nearby = 7.0
  /// Most numbers and ranges of numbers in a label.
  private static let mostRanges = 4

  /// Everything that the input holds, in the order of the table.
  let objects: [ObjectReport]
  /// Makes ids unique.
  let id: String

  /// The figure.
  var markup: Markup {
    let times = objects.filter(\.isSource).flatMap { $0.path ?? [] }.map(\.seconds)
    let time = SceneTime(times)
    let views = [SceneView.above, .left].enumerated().map { index, view in
      picture(view, time, id: "\(id)\(index + 1)")
    }
    return Markup(
      "figure", [:],
      [
        Markup("figcaption", [:], [time.key ?? Markup("All objects rest.")]),
        Markup("div", ["class": "views"], views),
        Markup(
          "p", ["class": "note"],
          text:
            "The listener is in the middle (+), the loudspeakers stand on the frame, which is at a distance of 1 "
            + "in every direction. "
            + (!time.isMoving
              ? "A dot is where an object rests"
              : "A dot is where an object begins, a ring where it ends, a line its way, which grows "
                + "thicker with time") + "; the numbers are those of the table."),
      ])
  }

  private func picture(_ view: SceneView, _ time: SceneTime, id: String) -> Markup {
    let ways = objects.enumerated().compactMap { number, object in
      SceneWay(object, number: number + 1, time) { view.pixel($0, object.coordinates) }
    }
    let size = SVGText.coordinate(SceneView.width)
    return Markup(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "plot scene", "role": "img",
        "viewBox": "0 0 \(size) \(SVGText.coordinate(SceneView.height))",
        "aria-labelledby": "\(id)-t \(id)-d",
      ],
      [
        Markup("title", ["id": id + "-t"], text: "Ways of the objects " + view.title.lowercased()),
        Markup("desc", ["id": id + "-d"], text: description),
      ] + view.frame
        // Numbers lie on top of dots, dots on top of ways, whichever object they belong to.
        + ways.flatMap(\.lines) + ways.compactMap(\.ring) + ways.map(\.dot)
        + ScenePathsFigure.labels(of: ways, around: view))
  }

  /// A label for each group of dots at one place, to the right, left, above or below of it, wherever it covers nothing;
  /// one without such a room is left out.
  private static func labels(of ways: [SceneWay], around view: SceneView) -> [Markup] {
    var groups: [(place: (x: Double, y: Double), numbers: [Int])] = []
    for way in ways {
      let near = groups.firstIndex {
        max(abs($0.place.x - way.start.x), abs($0.place.y - way.start.y)) < nearby
      }
      if let near {
        groups[near].numbers.append(way.number)
      } else {
        groups.append((way.start, [way.number]))
      }
    }
    var taken = view.names.map(\.box)
    return groups.compactMap { group in
      let text = ranges(group.numbers)
      let spots = SceneLabel.spots(text, at: group.place)
      guard
        let label = spots.first(where: { spot in
          spot.box.isInside && !taken.contains { $0.overlaps(spot.box) }
        })
      else { return nil }
      taken.append(label.box)
      return label.markup("label")
    }
  }

  /// Numbers in ascending order as `1–3, 7`; the last ones are only counted where there are many.
  static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    let words = ranges.prefix(mostRanges).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }
    let rest = ranges.dropFirst(mostRanges).reduce(0) { $0 + $1.count }
    return words.joined(separator: ", ") + (rest > 0 ? " +\(rest)" : "")
  }

  private var description: String {
    let sources = objects.filter(\.isSource)
    let changing = sources.count { ($0.path ?? []).count > 1 }
    return "\(PageText.count(sources.count, "object")), of which \(changing) change."
  }
}

/// The time of a scene in ``ScenePathsFigure/phases`` equal parts.
private struct SceneTime {
  private let end: Double

  init(_ times: [Double]) {
    end = times.filter { $0.isFinite && $0 > 0 && $0 < 1e8 }.max() ?? 0
  }

  /// The part that lies between two times.
  func phase(_ from: Double, _ to: Double) -> Int {
    let middle = (from + to) / 2
    guard end > 0, middle.isFinite else { return 0 }
    return Int(
      max(
        0, min(Double(ScenePathsFigure.phases - 1), middle / end * Double(ScenePathsFigure.phases)))
    )
  }

  /// Whether anything changes after the first tenth of a second.
  var isMoving: Bool { end > 0.1 }

  /// The legend: which colour stands for which time; `nil` where nothing moves.
  var key: Markup? {
    guard isMoving else { return nil }
    let step = end / Double(ScenePathsFigure.phases)
    let times = (0...ScenePathsFigure.phases).map { Double($0) * step }
    let axis = PlotAxis.time(duration: max(0.1, end), start: 0, end: 1)
    return PlotKey(
      entries: (0..<ScenePathsFigure.phases).map { phase in
        .init(
          label: axis.clock(times[phase]) + " to " + axis.clock(times[phase + 1]),
          look: "way t\(phase)")
      }
    ).markup
  }
}

/// A view onto the scene: which coordinates go across and upwards, and what the ends of the axes are.
private struct SceneView {
  static let width = 380.0
  static let height = 372.0
  /// Pixels from the middle to a distance of 1; places reach 1.25 of it.
  static let unit = 118.0
  private static let middle = (x: width / 2, y: 194.0)
  private static let reach = 1.25

  let title: String
  /// Names of the ends of the axes: left, right, top, bottom.
  let ends: (left: String, right: String, top: String, bottom: String)
  /// Coordinates across and upwards of X, Y and Z.
  let project: ([Double]) -> (Double, Double)

  static var above: SceneView {
    SceneView(title: "From above", ends: ("left", "right", "front", "back")) { ($0[0], $0[1]) }
  }

  static var left: SceneView {
    SceneView(title: "From the left", ends: ("front", "back", "up", "down")) { (-$0[1], $0[2]) }
  }

  /// The pixel of a position in these coordinates.
  func pixel(_ position: [Double], _ coordinates: String?) -> (x: Double, y: Double) {
    let (across, up) = project(SceneView.place(position, coordinates))
    return (SceneView.middle.x + SceneView.unit * across, SceneView.middle.y - SceneView.unit * up)
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
    return place.map { min(reach, max(-reach, $0.isFinite ? $0 : 0)) }
  }

  /// The view's name and the ends of its axes.
  var names: [SceneLabel] {
    let (x, y) = SceneView.middle
    let far = SceneView.reach * SceneView.unit
    return [
      SceneLabel(title, x: 2, y: 14, anchor: "start"),
      SceneLabel(ends.top, x: x, y: y - far - 6, anchor: "middle"),
      SceneLabel(ends.bottom, x: x, y: y + far + 15, anchor: "middle"),
      SceneLabel(ends.left, x: x - far - 6, y: y + 4, anchor: "end"),
      SceneLabel(ends.right, x: x + far + 6, y: y + 4, anchor: "start"),
    ]
  }

  /// Everything but the objects.
  var frame: [Markup] {
    let (x, y) = SceneView.middle
    let unit = SceneView.unit
    let text = SVGText.coordinate
    return [
      Markup(
        "rect",
        [
          "class": "frame", "x": text(x - unit), "y": text(y - unit), "width": text(2 * unit),
          "height": text(2 * unit),
        ]),
      Markup(
        "path",
        [
          "class": "grid",
          "d": "M\(text(x - unit)) \(text(y))h\(text(2 * unit))M\(text(x)) \(text(y - unit))"
            + "v\(text(2 * unit))",
        ]),
      Markup("path", ["class": "listener", "d": "M\(text(x - 6)) \(text(y))h12m-6 -6v12"]),
    ] + names.map { $0.markup(nil) }
  }
}

/// A short text in a view and the room that it takes.
private struct SceneLabel {
  /// Height of text in pixels on a narrow page, where it is largest beside the picture.
  private static let size = 12.0

  /// A rectangle in pixels.
  struct Box {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    func overlaps(_ other: Box) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }

    /// Whether it lies in the picture.
    var isInside: Bool {
      x.lowerBound >= 0 && x.upperBound <= SceneView.width && y.lowerBound >= 0
        && y.upperBound <= SceneView.height
    }
  }

  let text: String
  let x: Double
  let y: Double
  let anchor: String

  init(_ text: String, x: Double, y: Double, anchor: String) {
    (self.text, self.x, self.y, self.anchor) = (text, x, y, anchor)
  }

  /// The label of a dot at a place, at the spots around it where it may stand, the best one first.
  static func spots(_ text: String, at place: (x: Double, y: Double)) -> [SceneLabel] {
    [
      SceneLabel(text, x: place.x + 6, y: place.y - 4, anchor: "start"),
      SceneLabel(text, x: place.x - 6, y: place.y - 4, anchor: "end"),
      SceneLabel(text, x: place.x + 6, y: place.y + 13, anchor: "start"),
      SceneLabel(text, x: place.x - 6, y: place.y + 13, anchor: "end"),
      SceneLabel(text, x: place.x, y: place.y - 9, anchor: "middle"),
      SceneLabel(text, x: place.x, y: place.y + 18, anchor: "middle"),
    ]
  }

  var box: Box {
    let width = SVGText.width(text, size: SceneLabel.size)
    let left = anchor == "start" ? x : anchor == "end" ? x - width : x - width / 2
    return Box(x: left...(left + width), y: (y - 10)...(y + 2))
  }

  func markup(_ look: String?) -> Markup {
    Markup(
      "text",
      [
        "class": look, "x": SVGText.coordinate(x), "y": SVGText.coordinate(y),
        "text-anchor": anchor,
      ], text: text)
  }
}

/// The way of one object, where it is heard.
private struct SceneWay {
  let number: Int
  /// Pixels at which it begins.
  let start: (x: Double, y: Double)
  private let points: [(x: Double, y: Double, phase: Int)]

  /// The way of `object`, whose positions `place` turns into pixels; `nil` where it is never heard,
  /// and for what is no object.
  init?(
    _ object: ObjectReport, number: Int, _ time: SceneTime,
    _ place: ([Double]) -> (x: Double, y: Double)
  ) {
    guard object.isSource else { return nil }
    let heard = (object.path ?? []).filter { $0.gain > 0 && $0.position.count == 3 }
    points = heard.enumerated().map { index, point in
      let (x, y) = place(point.position)
      let before = index > 0 ? heard[index - 1].seconds : point.seconds
      return (x, y, time.phase(before, point.seconds))
    }
    guard let first = points.first else { return nil }
    (self.number, start) = (number, (first.x, first.y))
  }

  /// Its line, one path for each colour; nothing for an object that stays.
  var lines: [Markup] {
    (0..<ScenePathsFigure.phases).compactMap { phase in
      var data = ""
      var last = -1
      for index in points.indices.dropFirst() where points[index].phase == phase {
        if last != index - 1 { data += "M" + text(points[index - 1]) }
        data += "L" + text(points[index])
        last = index
      }
      return data.isEmpty ? nil : Markup("path", ["class": "way t\(phase)", "d": data])
    }
  }

  /// The dot at its beginning.
  var dot: Markup {
    Markup(
      "circle",
      [
        "class": "dot", "cx": SVGText.coordinate(start.x), "cy": SVGText.coordinate(start.y),
        "r": "3",
      ])
  }

  /// The ring at its end; `nil` for an object that ends where it begins.
  var ring: Markup? {
    guard let end = points.last, max(abs(end.x - start.x), abs(end.y - start.y)) > 1 else {
      return nil
    }
    return Markup(
      "circle",
      [
        "class": "ring", "cx": SVGText.coordinate(end.x), "cy": SVGText.coordinate(end.y), "r": "4",
      ])
  }

  private func text(_ point: (x: Double, y: Double, phase: Int)) -> String {
    SVGText.coordinate(point.x) + " " + SVGText.coordinate(point.y)
  }
}
