/// What every page of reports has around its content: head, heading and footer.
struct PageFrame {
  /// The heading.
  let name: String
  /// The line below it.
  let subtitle: String
  /// Links to pages that this one belongs to: their names and addresses.
  var navigation: [(name: String, address: String)] = []
  let main: [Markup]
  /// Whether the page has its script.
  let hasScript: Bool
  let footer: String

  /// The whole file.
  func html() -> String {
    let body = Markup(
      "body", [:],
      [
        Markup("a", ["class": "skip", "href": "#main"], text: "Skip to the content"),
        Markup(
          "header", [:],
          [
            Markup("h1", [:], [.name(name)]), Markup("p", ["class": "note"], text: subtitle),
          ] + links), Markup("main", ["id": "main", "tabindex": "-1"], main),
        Markup("footer", [:], [Markup("p", ["class": "note"], text: footer)]),
      ] + (hasScript ? [Markup("script", [:], [PageScript.source])] : []))
    let page = Markup(
      "html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"], [head, body])
    return "<!DOCTYPE html>\n" + page.source + "\n"
  }

  private var head: Markup {
    Markup(
      "head", [:],
      [
        Markup("meta", ["charset": "utf-8"]),
        Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Markup("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        Markup("meta", ["name": "generator", "content": "Pinna"]),
        Markup("title", text: name + " – Pinna report"), Markup("style", [:], [PageStyle.sheet]),
      ])
  }

  private var links: [Markup] {
    guard !navigation.isEmpty else { return [] }
    let parts = navigation.map { Markup("a", ["href": $0.address], [.name($0.name)]) }
    return [
      Markup("nav", ["aria-label": "Pages"], parts.flatMap { [$0, Markup(" ")] })
    ]
  }

  private var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'; "
      + (hasScript ? "script-src '\(PageScript.digest)'; " : "")
      + "base-uri 'none'; form-action 'none'"
  }
}
