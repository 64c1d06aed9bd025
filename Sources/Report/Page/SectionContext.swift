/// What a section of a page needs to know about its place.
struct SectionContext {
  /// Begins every id of the section, e.g. `r3`.
  let id: String
  /// Level of its headings, 2 or 3.
  let level: Int
  let links: PageLinks
  /// Whether pictures have fewer points.
  let isSmall: Bool

  /// The place of an output with this number.
  func numbered(_ number: Int) -> SectionContext {
    SectionContext(id: "\(id)-o\(number)", level: level, links: links, isSmall: isSmall)
  }

  /// The place inside a part of its own.
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

  /// A file's name, linked where it is there.
  func file(_ path: String) -> Markup {
    guard let address = links(path) else { return Markup("span", ["class": "path"], [.name(path)]) }
    return Markup("a", ["class": "path", "href": address], [.name(path)])
  }

  /// How a report ended: a sign and a word.
  static func badge(_ summary: ItemSummary) -> Markup {
    Markup(
      "span", ["class": "badge \(summary.grade.rawValue)"],
      [
        Markup("span", ["aria-hidden": "true"], text: summary.grade.sign + " "),
        Markup(summary.status),
      ])
  }

  /// A sentence that says what went wrong.
  static func problem(_ sentence: String, _ token: String?) -> Markup {
    Markup(
      "p", ["class": "problem"],
      [Markup("strong", text: "✗ "), Markup(sentence)]
        + (token.map { [Markup(" "), Markup("code", text: $0)] } ?? []))
  }
}
