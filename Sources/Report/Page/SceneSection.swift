// SPDX-License-Identifier: Apache-2.0
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
      (.words("Where"), { SceneSection.place($1) }),
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

  /// Ranges of the coordinates in words, each of which stays on one line.
  private static func place(_ object: ObjectReport) -> Markup {
    guard let least = object.least, let greatest = object.greatest, least.count == 3,
      greatest.count == 3
    else { return Markup("–") }
    let names =
      object.coordinates == "cartesian" ? ["X", "Y", "Z"] : ["azimuth", "elevation", "distance"]
    let parts = names.indices.map { axis -> Markup in
      let (low, high) = (SVGText.figure(least[axis], 2), SVGText.figure(greatest[axis], 2))
      let range = "\(names[axis]) " + (low == high ? low : "\(low) to \(high)")
      let end = axis + 1 < names.count ? ";" : ""
      return Markup("span", ["class": "whole-part"], text: range + end)
    }
    return Markup("span", [:], [parts[0], Markup(" "), parts[1], Markup(" "), parts[2]])
  }
}

extension ObjectReport {
  /// Whether it is an object with a place of its own: neither a loudspeaker's nor an ear's channel, nor a field.
  var isSource: Bool { type == "object" }
}
