/// The objects of an input: a table, and a picture of their ways.
struct SceneSection {
  let objects: [ObjectReport]
  let context: SectionContext

  /// The picture and the table.
  var parts: [Markup] {
    let figure = ScenePathsFigure(objects: objects, id: context.id + "-ways")
    let hasWays = objects.contains { !($0.path ?? []).isEmpty }
    return (hasWays ? [figure.markup] : []) + [table]
  }

  private var table: Markup {
    PageTable(
      caption: "Objects, loudspeaker channels and sound fields of the input",
      columns: [
        .figures("No."), .words("Name"), .words("Type"), .figures("Begins"), .figures("Ends"),
        .words("Where"), .figures("Changes"), .words("Tracks"),
      ],
      rows: objects.enumerated().map { number, object in
        [
          .init(String(number + 1)), .init(object.name ?? "–"), .init(object.type),
          .init(object.start.map { PageText.duration($0) } ?? "silent"),
          .init(object.end.map { PageText.duration($0) } ?? "–"), .init(SceneSection.place(object)),
          .init(PageText.count(Int64(object.changes))),
          .init(object.tracks.map(String.init).joined(separator: ", ")),
        ]
      }, isWide: true
    ).markup
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
