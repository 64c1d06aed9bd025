// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials

/// A measurement as a sheet to hand over: the file with its digest, the date, the standards, the figures and the curve.
struct LoudnessSheet {
  let report: MeasureReport
  let context: SectionContext

  /// All parts.
  var markup: [Markup] {
    let figures = LevelFigures(
      levels: report.levels, channels: report.channels, gate: report.relativeGate,
      dialogue: report.dialogue)
    return [
      figures.cards(context), file, figures.table,
      context.part("curve", "Loudness over time", [curve]),
      context.part("remarks", "Remarks", [remarks]),
    ].compactMap { $0 }
  }

  private var file: Markup {
    let input = report.input
    let seconds = PageText.seconds(report.samples, rate: input.rate)
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    return PageTable.facts(
      "File",
      [
        ("File", context.file(input.path)),
        ("SHA-256", report.sha256.map { Markup("code", ["class": "hash"], text: $0) }),
        ("Measured", word(report.date)),
        (
          "Track",
          word(
            "stream \(input.stream), \(input.codec), \(input.layout), \(PageText.rate(input.rate))")
        ),
        ("Length", word(PageText.duration(seconds))),
        ("Dialogue", word(report.dialogue?.summary)),
        ("Standards", word(LevelFigures.standards)),
      ]
    ).markup
  }

  private var curve: Markup {
    let nothing = Markup(
      "p", text: "The measurement has no curve; pinna measure --json --series states one.")
    guard let series = report.series else { return nothing }
    let none = RenderReport.Levels(
      integrated: nil, momentaryMax: nil, shortTermMax: nil, range: nil, truePeak: nil,
      channelTruePeaks: [], samplePeak: nil, short: false)
    let loudness = RenderReport.Loudness(
      mode: .off, target: nil, input: none, gainDB: 0, limiter: nil, output: report.levels,
      series: series)
    return LoudnessFigure(
      length: PageText.seconds(report.samples, rate: report.input.rate), stored: nil,
      loudness: loudness, id: context.id + "-loudness", isSmall: context.isSmall, isMeasured: true,
      dialogue: report.dialogue
    ).markup ?? nothing
  }

  private var remarks: Markup {
    guard !report.degradations.isEmpty else {
      return Markup("p", ["class": "fine"], text: "✓ Nothing was remarked on the file.")
    }
    return PageTable(
      caption: "Remarks on the file", columns: [.words("Code"), .words("Remark")],
      rows: report.degradations.map { [.code($0.code.rawValue), .init($0.message)] }
    ).markup
  }
}

/// Several files measured as one programme: the figures of all of them together, and the files that they are of.
struct AlbumSheet {
  let report: MeasureAlbumReport
  let context: SectionContext

  /// All parts.
  var markup: [Markup] {
    // Channels are those of every file where their peaks are stated.
    let figures = LevelFigures(
      levels: report.album, channels: report.tracks.first?.channels ?? [], gate: nil,
      dialogue: report.dialogue)
    let facts = PageTable.facts(
      "Album",
      [
        ("Files", Markup(PageText.count(report.tracks.count, "file") + " as one programme")),
        ("Length", Markup(PageText.duration(report.seconds))),
        ("Dialogue", report.dialogue.map { Markup($0.summary) }),
        ("Standards", Markup(LevelFigures.standards)),
      ])
    return [figures.cards(context), facts.markup, figures.table]
  }
}

/// The figures of a measurement, as cards and as a table.
private struct LevelFigures {
  static let standards = "ITU-R BS.1770-5, EBU R 128, EBU Tech 3341 and 3342"

  let levels: RenderReport.Levels
  let channels: [String]
  /// LUFS.
  let gate: Double?
  let dialogue: DialogueLoudness?

  func cards(_ context: SectionContext) -> Markup {
    context.cards([
      ("Integrated", PageText.figure(levels.integrated, "LUFS"), nil),
      ("Loudness range", PageText.figure(levels.range, "LU", 1), nil),
      ("True peak", PageText.figure(levels.truePeak, "dBTP"), peakPlace),
      ("Peak to loudness", PageText.figure(levels.peakToLoudness, "LU"), nil),
    ])
  }

  /// The channel with the largest true peak.
  private var peakPlace: String? {
    let peaks = zip(channels, levels.channelTruePeaks)
    let found = peaks.compactMap { name, peak in peak.map { (name, $0) } }.max { $0.1 < $1.1 }
    return found.map { "in \($0.0)" }
  }

  var table: Markup {
    let gates = gate.map { [("Relative gate", Optional($0), "LUFS")] } ?? []
    let rows: [(String, Double?, String)] =
      [
        ("Integrated loudness", levels.integrated, "LUFS"),
        ("Maximum momentary loudness (400 ms)", levels.momentaryMax, "LUFS"),
        ("Maximum short-term loudness (3 s)", levels.shortTermMax, "LUFS"),
        ("Loudness range", levels.range, "LU"),
      ] + gates + [
        ("True peak", levels.truePeak, "dBTP"), ("Sample peak", levels.samplePeak, "dBFS"),
        ("Peak to loudness ratio", levels.peakToLoudness, "LU"),
      ] + (dialogue?.rows ?? [])
    let peaks = zip(channels, levels.channelTruePeaks).map { ("True peak of \($0)", $1, "dBTP") }
    return PageTable(
      caption: "Figures", columns: [.words("Figure"), .figures("Value")],
      rows: (rows + peaks).map { name, value, unit in
        [.init(name), .init(PageText.figure(value, unit))]
      }
    ).markup
  }
}
