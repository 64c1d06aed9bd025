// SPDX-License-Identifier: Apache-2.0

/// The parts of a listening page that the script fills with life.
struct AuditionParts {
  private let report: AuditionReport

  init(_ report: AuditionReport) { self.report = report }

  var markup: [Markup] { [listen, tournament, abx] }

  private func panel(_ id: String, _ content: [Markup]) -> Markup {
    Markup(
      "section", ["id": id, "role": "tabpanel", "aria-labelledby": "tab-\(id)"], content)
  }

  private var listen: Markup {
    panel(
      "listen",
      [
        Markup("h2", text: "Listen"),
        Markup(
          "p", [:],
          [
            Markup("All ways play at the same time. Switch while it plays: "),
            Markup("kbd", text: "1"), Markup(" to "), Markup("kbd", text: "\(report.ways.count)"),
            Markup(" choose a way, "), Markup("kbd", text: "Space"), Markup(" starts and stops."),
          ]),
        Markup(
          "div", ["class": "columns"],
          [
            Markup(
              "fieldset", [:],
              [Markup("legend", text: "Excerpt")]
                + choices(
                  "excerpt", report.excerpts.map { (AuditionText.name($0, of: report), $0.input) })),
            Markup(
              "fieldset", [:],
              [Markup("legend", text: "Way")]
                + choices("way", report.ways.map { ($0.label, $0.flags) })),
          ]),
        Markup(
          "div", ["class": "meter"],
          [
            Markup(
              "button", ["type": "button", "id": "play", "class": "primary"], text: "Play"),
            Markup(
              "progress", ["id": "position", "max": "1", "value": "0", "aria-label": "Position"]),
            // No live region: a voice that tells the time would drown what is judged.
            Markup("span", ["id": "time"], text: ""),
          ]),
        Markup(
          "div", ["class": "fields"],
          [
            Markup(
              "label", ["class": "setting"],
              [
                Markup("input", ["type": "checkbox", "id": "repeat", "checked": "checked"]),
                Markup("Repeat"),
              ]),
            Markup(
              "label", ["class": "setting"],
              [
                Markup("Volume "),
                Markup(
                  "input",
                  ["type": "range", "id": "volume", "min": "0", "max": "100", "value": "100"]),
              ]),
          ]),
      ])
  }

  private func choices(_ name: String, _ entries: [(title: String, note: String)]) -> [Markup] {
    entries.enumerated().map { index, entry in
      Markup(
        "label", ["class": "choice"],
        [
          Markup(
            "input",
            [
              "type": "radio", "name": name, "value": "\(index)",
              "checked": index == 0 ? "checked" : nil,
            ]),
          Markup(
            "span", [:],
            [.name(entry.title)]
              + (entry.note.isEmpty
                ? [] : [Markup("br", [:]), Markup("span", ["class": "note"], [.name(entry.note)])])),
        ])
    }
  }

  private var tournament: Markup {
    let count = report.ways.count
    let places = report.ways.filter(\.hasPlaces).count * report.places.count * 4
    let setting = Markup(
      "p", [:],
      [
        Markup(
          "label", ["class": "setting"],
          [
            Markup("input", ["type": "checkbox", "id": "ask-places", "checked": "checked"]),
            Markup(
              "First ask where test sounds come from (\(PageText.count(places, "short question")))"
            ),
          ])
      ])
    return panel(
      "tournament",
      [
        Markup("h2", text: "Find the best"),
        Markup(
          "div", ["id": "tournament-setup"],
          [
            Markup(
              "p",
              text:
                "You compare two ways at a time without knowing which they are, until one is left: "
                + "at most \(AuditionText.mostComparisons(count)) comparisons. Whoever prefers one way in four of five "
                + "comparisons sees it win in at least 95 of 100 tournaments. Wear the headphones that you use."
            )
          ] + (places > 0 ? [setting] : []) + [
            Markup(
              "p", ["class": "buttons"],
              [
                Markup(
                  "button", ["type": "button", "id": "tournament-start", "class": "primary"],
                  text: "Start")
              ])
          ]), Markup("div", ["id": "tournament-trial"]),
      ])
  }

  private var abx: Markup {
    let ways = report.ways.map { ($0.id, $0.label) }
    return panel(
      "abx",
      [
        Markup("h2", text: "ABX"),
        Markup(
          "div", ["id": "abx-setup"],
          [
            Markup(
              "p",
              text:
                "X is A or B, by chance, in every trial anew. Say which, and learn at the end how likely "
                + "somebody who guesses gets as many right."),
            Markup(
              "div", ["class": "fields"],
              [
                select("abx-a", "A", ways, chosen: 0), select("abx-b", "B", ways, chosen: 1),
                select(
                  "abx-excerpt", "Excerpt",
                  report.excerpts.enumerated().map { ("\($0)", AuditionText.name($1, of: report)) },
                  chosen: 0),
                select(
                  "abx-count", "Trials", AuditionText.trialCounts.map { ("\($0)", "\($0)") },
                  chosen: 2),
              ]),
            Markup(
              "p", ["class": "buttons"],
              [
                Markup(
                  "button", ["type": "button", "id": "abx-start", "class": "primary"],
                  text: "Start")
              ]),
          ]), Markup("div", ["id": "abx-trial"]),
      ])
  }

  private func select(
    _ id: String, _ name: String, _ options: [(value: String, text: String)], chosen: Int
  ) -> Markup {
    Markup(
      "label", [:],
      [
        Markup(name),
        Markup(
          "select", ["id": id],
          options.enumerated().map { index, option in
            Markup(
              "option",
              ["value": option.value, "selected": index == chosen ? "selected" : nil],
              text: option.text)
          }),
      ])
  }
}

/// Words of listening pages.
enum AuditionText {
  /// Trials that an ABX test can have.
  static let trialCounts = [8, 12, 16, 24, 32]

  /// An excerpt's name, such as `Loud motion, from 1:02`, with the input's where there are several.
  static func name(_ excerpt: AuditionReport.Excerpt, of report: AuditionReport) -> String {
    let reasons = [
      "motion": "Loud motion", "dialogue": "Dialogue", "quiet": "Quiet", "whole": "Whole",
      "asked": "Chosen",
    ]
    let start =
      excerpt.reason == "whole"
      ? ""
      : ", from " + (excerpt.startSeconds == 0 ? "0 s" : PageText.duration(excerpt.startSeconds))
    return (reasons[excerpt.reason] ?? excerpt.reason) + start
      + (Set(report.excerpts.map(\.input)).count > 1 ? ", \(excerpt.input)" : "")
  }

  /// Most comparisons of a tournament of `count` ways, as the script plays it.
  static func mostComparisons(_ count: Int) -> Int {
    (count - 1) * (2 * winsNeeded(count) - 1)
  }

  /// Comparisons that win a match in a tournament of `count` ways, as the script plays it.
  static func winsNeeded(_ count: Int) -> Int { count > 4 ? 7 : 6 }
}
