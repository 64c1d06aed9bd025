import Report

/// Listening pages and their results as text for the terminal.
enum AuditionTable {
  /// What a page plays, in a few lines.
  static func text(_ report: AuditionReport, page: String) -> String {
    let ways = report.ways.map { way in
      (
        "way",
        way.label + "  (\(way.played ?? report.command(way)))"
      )
    }
    let excerpts = report.excerpts.map { excerpt in
      (
        "excerpt",
        "\(excerpt.input) from \(Figures.fixed(excerpt.startSeconds, 1)) s, "
          + "\(excerpt.reason), \(Figures.fixed(excerpt.target, 1)) LUFS, ways within "
          + "\(Figures.fixed(excerpt.spreadLU, 3)) LU"
      )
    }
    let notes = report.notes.map { ("note", $0) }
    return lines(ways + excerpts + notes + [("page", page)])
  }

  /// What results say.
  static func text(_ summary: AuditionSummary) -> String {
    var rows: [(String, String)] = [("page", summary.title)]
    if summary.tournaments > 0 {
      for (place, way) in summary.ways.enumerated() {
        rows.append(("\(place + 1).", standing(way, of: summary.tournaments)))
      }
      if let best = summary.ways.first {
        rows.append(("use", "pinna render … \(best.flags)"))
      }
    }
    if let final = summary.final {
      rows.append(
        (
          "final",
          "\(final.winner) won \(final.won) of \(final.comparisons) against "
            + "\(final.runnerUp); where nobody hears a difference, \(share(final.guessing)) of such "
            + "matches end as clearly"
        ))
    }
    for test in summary.abx {
      let verdict =
        test.trials < test.planned
        ? "stopped before its \(test.planned) trials, so it shows nothing"
        : test.isHeard ? "a difference was heard" : "no difference was shown"
      rows.append(
        (
          "abx",
          "\(test.first) and \(test.second): \(test.right) of "
            + "\(test.trials) right, by guessing in \(share(test.guessing)): \(verdict)"
        ))
    }
    if summary.stopped > 0 {
      rows.append(("stopped", "\(summary.stopped) of the tournaments, which count for nothing"))
    }
    if summary.tournaments == 0, summary.abx.isEmpty {
      rows.append(("results", "no test was played to its end"))
    }
    return lines(rows)
  }

  private static func standing(_ way: AuditionSummary.Way, of tournaments: Int) -> String {
    var parts = ["preferred \(way.preferred) of \(way.comparisons)"]
    if tournaments > 1 {
      parts.insert("won \(way.tournamentsWon) of \(tournaments) tournaments", at: 0)
    }
    parts.append("outside of the head \(way.outside)")
    if way.places > 0 { parts.append("places right \(way.placesRight) of \(way.places)") }
    return way.label + ": " + parts.joined(separator: ", ")
  }

  private static func share(_ part: Double) -> String {
    part < 0.0001 ? "less than 0.01 %" : "\(Figures.fixed(part * 100, 2)) %"
  }

  private static func lines(_ rows: [(String, String)]) -> String {
    PlainText.lines(rows.map { Figures.padded($0.0, 10) + $0.1 })
  }
}
