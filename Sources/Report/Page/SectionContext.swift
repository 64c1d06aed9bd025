/// Where a section stands on the page: what its ids, headings and links depend on.
struct SectionContext {
  /// Begins every id of the section, e.g. `r3`.
  let id: String
  /// Level of its headings, 2 or 3.
  let level: Int
  let links: PageLinks
  /// Whether pictures have fewer points.
  let isSmall: Bool

  /// The context of the output with this number.
  func numbered(_ number: Int) -> SectionContext {
    SectionContext(id: "\(id)-o\(number)", level: level, links: links, isSmall: isSmall)
  }

  /// The context of a subsection, whose headings are one level lower.
  var inner: SectionContext {
    SectionContext(id: id + "-in", level: level + 1, links: links, isSmall: isSmall)
  }

  /// A part of the report under a heading; `nil` when it has no content.
  func part(_ name: String, _ title: String, _ content: [Markup]) -> Markup? {
    guard !content.isEmpty else { return nil }
    let heading = "\(id)-\(name)"
    return Markup(
      "section", ["aria-labelledby": heading],
      [Markup("h\(level)", ["id": heading], text: title)] + content)
  }

  /// The few figures that matter most.
  func cards(_ cards: [(name: String, value: String, note: String?)]) -> Markup {
    Markup(
      "dl", ["class": "cards"],
      cards.map { card in
        Markup(
          "div", [:],
          [
            Markup("dt", text: card.name), Markup("dd", ["class": "value"], text: card.value),
          ] + (card.note.map { [Markup("dd", ["class": "note"], text: $0)] } ?? []))
      })
  }

  /// A file's name, with a link where the file exists.
  func file(_ path: String) -> Markup {
    guard let address = links(path) else { return Markup("span", ["class": "path"], [.name(path)]) }
    return Markup("a", ["class": "path", "href": address], [.name(path)])
  }

  /// The status of a report: a sign and a word.
  static func badge(_ summary: ItemSummary) -> Markup {
    Markup(
      "span", ["class": "badge \(summary.grade.rawValue)"],
      [
        Markup("span", ["aria-hidden": "true"], text: summary.grade.sign + " "),
        Markup(summary.status),
      ])
  }

  /// A paragraph with a sentence about what went wrong.
  static func problem(_ sentence: String, _ token: String?) -> Markup {
    Markup(
      "p", ["class": "problem"],
      [Markup("strong", text: "✗ "), Markup(sentence)]
        + (token.map { [Markup(" "), Markup("code", text: $0)] } ?? []))
  }
}
