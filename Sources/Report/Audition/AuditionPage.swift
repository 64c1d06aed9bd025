// SPDX-License-Identifier: Apache-2.0
import Essentials
import Platform

/// A page that plays excerpts in several ways: free listening, a blind tournament and ABX.
///
/// Nothing is loaded from elsewhere, except media where they lie in a folder beside the page.
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
    return text + "<script>\(AuditionScript.source)</script>"
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

/// The facts about sounds on a listening page: how each was made, and that their levels match.
struct AuditionFacts {
  private let report: AuditionReport

  init(_ report: AuditionReport) { self.report = report }

  var markup: Markup {
    Markup(
      "section", ["aria-labelledby": "facts-heading"],
      [
        Markup("h2", ["id": "facts-heading"], text: "What is played"),
        Markup("p", text: claim),
        PageTable(
          caption: "The ways",
          columns: ["Way", "Arguments of pinna render", "HRTF set"].map {
            .words($0)
          },
          rows: report.ways.map { way in
            [
              PageTable.Cell(Markup.name(way.label)),
              way.played.map { PageTable.Cell($0) } ?? .code(report.command(way)),
              way.sha256.map { PageTable.Cell.hash("SHA-256 \($0)") } ?? PageTable.Cell("–"),
            ]
          }, isWide: true
        ).markup,
        PageTable(
          caption: "Levels of the excerpts",
          columns: [
            .words("Excerpt"), .words("Way"), .figures("Gain, dB"), .figures("Loudness, LUFS"),
            .figures("True peak, dBTP"),
          ], rows: report.excerpts.flatMap(rows), isWide: true
        ).markup,
      ] + notes)
  }

  private var claim: String {
    let spread = report.excerpts.map(\.spreadLU).max() ?? 0
    return
      "All ways of an excerpt have one loudness: the largest difference is \(PageText.figure(spread, "LU", 3)), "
      + "0.1 LU is allowed. Each was brought "
      + "there by gain alone: no limiter worked. The ends are faded over 20 ms. All media are FLAC of 24 bits at "
      + "\(PageText.rate(report.rate)) and play without losses; switching lasts 10 ms."
  }

  private func rows(_ excerpt: AuditionReport.Excerpt) -> [[PageTable.Cell]] {
    zip(excerpt.levels, report.ways).map { level, way in
      [
        PageTable.Cell(AuditionText.name(excerpt, of: report)),
        PageTable.Cell(Markup.name(way.label)),
        PageTable.Cell(PageText.figure(level.gainDB, "")),
        PageTable.Cell(PageText.figure(level.integrated, "")),
        PageTable.Cell(PageText.figure(level.truePeak, "")),
      ]
    }
  }

  private var notes: [Markup] {
    guard !report.notes.isEmpty else { return [] }
    return [
      Markup("h3", text: "Remarks of the renders"),
      Markup("ul", [:], report.notes.map { Markup("li", [:], [.name($0)]) }),
    ]
  }
}

/// The rules that listening pages add to the style sheet of reports.
enum AuditionStyle {
  /// The sheet.
  static let sheet = Markup.verbatim(
    """
    [hidden] { display: none !important; }
    .tabs { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1rem; }
    main button, main select {
      font: inherit; color: var(--text); background: var(--sheet); border: 1px solid var(--cut);
      border-radius: 0.5rem; padding: 0.45rem 0.9rem; min-height: 2.75rem; max-width: 100%;
    }
    main button { cursor: pointer; }
    main button:hover:enabled { border-color: var(--link); }
    main button:disabled { color: var(--quiet); border-style: dashed; cursor: not-allowed; }
    [aria-selected="true"], [aria-pressed="true"], main button.primary {
      background: var(--link); color: var(--sheet); border-color: var(--link); font-weight: 600;
    }
    .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; max-width: none; }
    fieldset { border: 0; padding: 0; margin: 0 0 1.25rem; min-width: 0; }
    legend { font-weight: 600; padding: 0; margin: 0 0 0.5rem; }
    .choice {
      display: flex; gap: 0.6rem; align-items: baseline; padding: 0.5rem 0.75rem; border-radius: 0.5rem;
      border: 1px solid var(--line); margin: 0 0 0.4rem; cursor: pointer; overflow-wrap: anywhere;
    }
    .choice:has(:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); }
    .choice input { flex: none; margin: 0; width: 1.1rem; height: 1.1rem; accent-color: var(--link); }
    .choice .note { margin: 0; }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 2rem; }
    .meter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0 0 1rem; }
    .meter progress { flex: 1 1 12rem; height: 0.75rem; accent-color: var(--link); }
    .meter span { font-variant-numeric: tabular-nums; min-width: 8rem; }
    .setting { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
    .setting input[type="checkbox"] { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--link); }
    .fields { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; margin: 0 0 1rem; }
    .fields label:not(.setting) { display: grid; gap: 0.25rem; min-width: 0; }
    .fields label { min-height: 2.75rem; }
    kbd {
      font: 0.8125em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; border: 1px solid var(--cut);
      border-radius: 0.25rem; padding: 0 0.3rem;
    }
    """)
}

/// The script of listening pages.
enum AuditionScript {
  /// In this order; the last one begins when all others stand.
  private static let parts = [
    PackageResources.sound_js, PackageResources.chance_js, PackageResources.view_js,
    PackageResources.listen_js, PackageResources.bracket_js, PackageResources.trial_js,
    PackageResources.tournament_js, PackageResources.abx_js, PackageResources.start_js,
  ]

  static let source =
    "(() => {\n'use strict'\n\n"
    + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") + "})()"

  /// The hash of ``source`` as a content security policy lists it.
  static let digest: String = {
    var digest = Digest(.sha256)
    digest.update(Array(source.utf8))
    return "sha256-" + Data(digest.bytes).base64EncodedString()
  }()
}
