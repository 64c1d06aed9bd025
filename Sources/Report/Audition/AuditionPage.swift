import Essentials

/// A page that plays excerpts in several ways: free listening, a blind tournament and ABX.
///
/// It loads nothing from elsewhere, except its media where they lie in a folder beside it.
package struct AuditionPage {
  /// A coded sound, and the key that the page knows it by.
  package struct Medium: Sendable {
    /// `e1-w1` for an excerpt in one way, `places-w1` for the test sounds.
    package let key: String
    /// The bytes of a FLAC file.
    package let bytes: Data

    /// A medium.
    package init(key: String, bytes: Data) {
      self.key = key
      self.bytes = bytes
    }

    /// The words that every script begins with.
    package static let scriptStart = "pinnaMedium("

    /// A script that hands the medium to the page called `page`: what a browser loads from a folder without a server.
    package func script(of page: String) -> String {
      Medium.scriptStart + "\"\(page)\", \"\(key)\", \"\(bytes.base64EncodedString())\")\n"
    }
  }

  private let report: AuditionReport
  private let media: [Medium]

  /// The page of `report`; `media` are put inside, and none are where they lie beside it.
  package init(_ report: AuditionReport, media: [Medium] = []) {
    self.report = report
    self.media = media
  }

  /// The page as one HTML file.
  /// - Throws: an error where the report can't be encoded, which its types rule out.
  package func html() throws -> String {
    let parts = [
      Markup("a", ["class": "skip", "href": "#main"], text: "Skip to the content"),
      Markup(
        "header", [:],
        [Markup("h1", [:], [.name(report.title)]), Markup("p", ["class": "note"], text: subtitle)]),
      main,
      Markup(
        "footer", [:],
        [
          Markup(
            "p", ["class": "note"],
            text: "Levels: ITU-R BS.1770-5, measured on the files that are played. "
              + "Made by Pinna \(report.pinna).")
        ]),
    ]
    // The script elements hold text that has its own rules, so they don't come through `Markup`.
    return "<!DOCTYPE html>\n<html lang=\"en\">" + head.source + "<body>"
      + parts.map(\.source).joined() + (try scripts()) + "</body></html>\n"
  }

  private var subtitle: String {
    "\(PageText.count(report.excerpts.count, "excerpt")) in \(report.ways.count) ways, of one loudness"
  }

  private var head: Markup {
    Markup(
      "head", [:],
      [
        Markup("meta", ["charset": "utf-8"]),
        Markup("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Markup("meta", ["name": "generator", "content": "Pinna"]),
        Markup("title", text: report.title + " – Pinna audition"),
        Markup("style", [:], [PageStyle.sheet, AuditionStyle.sheet]),
      ])
  }

  /// Media in a folder come as scripts: browsers let no page read files beside it in any other way.
  private var policy: String {
    let folder = report.folder == nil ? "" : " 'self' file:"
    return
      "default-src 'none'; style-src 'unsafe-inline'; script-src '\(AuditionScript.digest)'\(folder); "
      + "base-uri 'none'; form-action 'none'"
  }

  private func scripts() throws -> String {
    // A name from a file could hold the end of the element.
    let facts = try ReportJSON.line(report).replacing("<", with: "\\u003c")
    var text = "<script type=\"application/json\" id=\"facts\">\(facts)</script>\n"
    for medium in media {
      text += "<script type=\"text/plain\" id=\"medium-\(medium.key)\">"
      text += medium.bytes.base64EncodedString() + "</script>\n"
    }
    return text + "<script>\(AuditionScript.source.source)</script>"
  }

  private var main: Markup {
    Markup(
      "main", ["id": "main", "tabindex": "-1"],
      [
        Markup(
          "noscript", [:],
          [
            Markup(
              "p", ["class": "problem"],
              text: "This page plays sound by a script of its own. Allow scripts for it.")
          ]),
        Markup("p", ["class": "problem", "id": "trouble", "role": "alert", "hidden": "hidden"]),
        Markup("p", ["class": "unseen", "id": "spoken", "aria-live": "polite"]),
        Markup("div", ["id": "parts", "hidden": "hidden"], [tabs] + AuditionParts(report).markup),
        Markup(
          "p", ["class": "buttons", "id": "saving", "hidden": "hidden"],
          [
            Markup("button", ["type": "button", "id": "save"], text: "Save results"),
            Markup("span", ["class": "note"], text: "They are lost when this page is closed."),
          ]),
        AuditionFacts(report).markup,
      ])
  }

  private var tabs: Markup {
    let names = [("listen", "Listen"), ("tournament", "Find the best"), ("abx", "ABX")]
    return Markup(
      "div", ["class": "tabs", "role": "tablist", "aria-label": "What to do"],
      names.map { id, name in
        Markup(
          "button",
          ["type": "button", "role": "tab", "id": "tab-\(id)", "aria-controls": id], text: name)
      })
  }
}
