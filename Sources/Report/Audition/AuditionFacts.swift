/// What a listening page tells of its sounds: how each was made, and that their levels match.
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
      Markup("h3", text: "What the renders told of"),
      Markup("ul", [:], report.notes.map { Markup("li", [:], [.name($0)]) }),
    ]
  }
}
