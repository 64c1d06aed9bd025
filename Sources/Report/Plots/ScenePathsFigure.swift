import Platform

/// The ways of an input's objects, seen from above and from the side.
///
/// Polar positions stand at their angles and distance, Cartesian ones at their place in the room. A dot is where
/// an object begins, a number tells which one it is.
struct ScenePathsFigure {
  /// Objects that get a number; more would cover each other.
  private static let mostNumbers = 40
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
            + "object begins; its number is that of the table."),
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
      text(view.ends.0, middle - unit - 4, centre - unit - 5, "start"),
      text(view.ends.1, middle + unit + 4, centre - unit - 5, "end"),
      text(view.ends.2, middle, centre - unit - 5, "middle"),
    ]
    return [frame, head] + names
      + objects.enumerated().flatMap { number, object in
        path(of: object, number: number + 1) { point in
          let (across, up) = view.project(ScenePathsFigure.place(point, object.coordinates))
          return (middle + unit * across, centre - unit * up)
        }
      }
  }

  /// The way of one object, where it is heard.
  private func path(
    of object: ObjectReport, number: Int, _ place: ([Double]) -> (Double, Double)
  ) -> [Markup] {
    let points = (object.path ?? []).filter { $0.gain > 0 && $0.position.count == 3 }
    guard let first = points.first else { return [] }
    let pixels = points.map { place($0.position) }
    let steps = pixels.enumerated().map { index, pixel in
      (index == 0 ? "M" : "L") + SVGText.coordinate(pixel.0) + " " + SVGText.coordinate(pixel.1)
    }
    let start = place(first.position)
    var marks = [
      Markup("path", ["class": "after", "d": steps.joined()]),
      Markup(
        "circle",
        [
          "class": "dot", "cx": SVGText.coordinate(start.0), "cy": SVGText.coordinate(start.1),
          "r": "3",
        ]),
    ]
    if number <= ScenePathsFigure.mostNumbers {
      marks.append(
        Markup(
          "text",
          [
            "class": "label", "x": SVGText.coordinate(start.0 + 5),
            "y": SVGText.coordinate(start.1 - 4),
          ], text: String(number)))
    }
    return marks
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
    let moving = objects.count { ($0.path ?? []).count > 1 }
    return "\(PageText.count(objects.count, "object")), of which \(moving) change."
  }
}
