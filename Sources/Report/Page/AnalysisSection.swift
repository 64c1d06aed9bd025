/// What was found out about the samples of an output.
struct AnalysisSection {
  let found: RenderReport.Analysis?
  /// Makes ids unique.
  let id: String
  /// Whether pictures have fewer points.
  let isSmall: Bool

  /// The tables; nothing without an analysis.
  var parts: [Markup] {
    guard let found else { return [] }
    let parts: [Markup?] = [
      found.bandLimit.map { Markup("p", [:], text: "\($0.sentence) (\($0.doubt))") },
      found.levels.flatMap {
        AnalysisFigure.levels($0, id: id + "-levels", isSmall: isSmall).markup
      },
      found.levels.map(levels),
      found.phase.flatMap { AnalysisFigure.phase($0, id: id + "-phase", isSmall: isSmall).markup },
      found.phase.map(phase), found.silence.map(silence), found.spectrogram.map(picture),
    ]
    return parts.compactMap { $0 }
  }

  private func levels(_ channels: [RenderReport.Analysis.Channel]) -> Markup {
    PageTable(
      caption: "Levels of the written samples",
      columns: [
        .words("Channel"), .figures("Peak, dBFS"), .figures("RMS, dBFS"), .figures("Crest, dB"),
        .figures("DC offset"), .figures("Clipped runs"),
      ],
      rows: channels.map { channel in
        [
          .init(channel.name), .init(PageText.figure(channel.peak, "", 1)),
          .init(PageText.figure(channel.rms, "", 1)),
          .init(PageText.figure(channel.crestDB, "", 1)),
          .init(PageText.figure(channel.dcOffset, "", 5)),
          .init(PageText.count(channel.clippedRuns)),
        ]
      }, isWide: true
    ).markup
  }

  private func phase(_ phase: RenderReport.Analysis.Phase) -> Markup {
    PageTable.facts(
      "Phase of \(phase.channels.joined(separator: " and "))",
      [
        ("Mean correlation", Markup(PageText.figure(phase.mean, "", 2))),
        ("Lowest correlation", Markup(PageText.figure(phase.lowest, "", 2))),
        (
          "Time below 0",
          Markup(PageText.figure(phase.shareBelowZero.map { 100 * $0 }, "%", 1))
        ), ("Lost in mono", Markup(PageText.figure(phase.monoLossDB, "dB", 1))),
      ]
    ).markup
  }

  private func silence(_ silence: RenderReport.Analysis.Silence) -> Markup {
    guard !silence.runs.isEmpty else {
      return Markup(
        "p", [:],
        text: "No silence of \(PageText.figure(silence.leastSeconds, "s", 1)) below "
          + PageText.figure(silence.thresholdDBFS, "dBFS", 0))
    }
    return PageTable(
      caption:
        "Silence below \(PageText.figure(silence.thresholdDBFS, "dBFS", 0)): \(PageText.count(silence.count)) runs",
      columns: [.figures("First sample"), .figures("Samples")],
      rows: silence.runs.prefix(100).map { run in
        [.init(PageText.count(run.first)), .init(PageText.count(run.samples))]
      }, isWide: false
    ).markup
  }

  private func picture(_ path: String) -> Markup {
    Markup("p", [:], [Markup("Spectrogram: "), .name(PageText.fileName(path))])
  }
}
