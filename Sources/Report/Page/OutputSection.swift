// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// One output of a render: its figures, pictures and renderer.
struct OutputSection {
  let report: RenderReport
  let output: RenderReport.Output
  let context: SectionContext

  /// The figures that matter most; empty when none are known.
  var cards: [(name: String, value: String, note: String?)] {
    guard let loudness = output.loudness else { return fileCards }
    func change(_ before: Double?, _ after: Double?) -> String {
      PageText.figure(before, "", 1) + " → " + PageText.figure(after, "", 1)
    }
    let target = loudness.target.map { "target \(PageText.figure($0, "LUFS", 1))" }
    let limiter = loudness.limiter.map {
      "limiter up to \(PageText.figure($0.maxReductionDB, "dB", 1))"
    }
    let isOfWords = loudness.anchor == .dialogue
    let words = loudness.dialogue.map {
      (
        "Dialogue, LUFS", change(loudness.inputDialogue, $0.dialogueLoudness),
        isOfWords ? target : "before → after"
      )
    }
    return [
      (
        "Loudness, LUFS", change(loudness.input.integrated, loudness.output.integrated),
        isOfWords ? "before → after" : target ?? "left alone"
      )
    ] + [words].compactMap { $0 } + [
      (
        "True peak, dBTP", change(loudness.input.truePeak, loudness.output.truePeak),
        "before → after"
      ), ("Gain", PageText.figure(loudness.gainDB, "dB"), limiter ?? "no limiter needed"),
    ]
  }

  /// Figures of the written file. Version 1 of the report has no others for outputs after the
  /// first.
  private var fileCards: [(name: String, value: String, note: String?)] {
    guard output.integrated != nil || output.truePeak != nil else { return [] }
    return [
      ("Loudness, LUFS", PageText.figure(output.integrated, "", 1), "of the file"),
      ("True peak, dBTP", PageText.figure(output.truePeak, "", 1), "of the file"),
      ("Gain", PageText.figure(output.gainDB, "dB"), nil),
    ]
  }

  /// The sections about the output's sound, each under its own heading.
  var parts: [Markup] {
    [
      context.part("loudness", "Loudness", loudness),
      context.part("spectrum", "Spectrum", spectrum),
      context.part(
        "taps", "Processing of your own", TapSection(taps: output.taps ?? []).parts),
      context.part("analysis", "Analysis", analysis),
    ].compactMap { $0 }
  }

  /// Everything in one part under the file's name: for one of several outputs. `number` counts from 1.
  func markup(number: Int) -> Markup {
    let heading = "\(context.id)-output"
    let inner = OutputSection(report: report, output: output, context: context.inner)
    let facts = PageTable.facts("Renderer of output \(number)", OutputSection.facts(output.render))
    let renderer = inner.context.part(
      "renderer", "Renderer", output.render == nil ? [] : [facts.markup])
    let isCopy = output.render == nil && cards.isEmpty
    let copied = isCopy ? [Markup("p", ["class": "note"], text: "Copied.")] : []
    return Markup(
      "section", ["aria-labelledby": context.level == 2 ? heading : nil],
      [
        Markup(
          "h\(context.level)", ["id": heading],
          [Markup("Output \(number): "), .name(PageText.fileName(output.path))])
      ] + (cards.isEmpty ? [] : [context.cards(cards)]) + copied + inner.parts
        + (renderer.map { [$0] } ?? []))
  }

  /// Facts about rendering, done or planned.
  static func facts(_ render: RenderReport.Render?) -> [(String, Markup?)] {
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    return [
      (
        "Rendered for",
        word(render.map { $0.endpoint.rawValue + ", " + $0.layout + ", " + PageText.rate($0.rate) })
      ), ("Virtualised", word(render.map { $0.virtualized ? "yes" : "no" })),
      ("HRTF set", render?.hrtf.map { .name($0.id) }),
      (
        "Delays between the ears",
        word(render?.hrtf?.delayScale.map { "× \(PageText.figure($0, "", 3))" })
      ),
      ("Room", word(render?.room.map { room($0) })),
      ("HRTF SHA-256", render?.hrtf.map { Markup("code", ["class": "hash"], text: $0.sha256) }),
      ("Loudspeakers apart", word(render?.speakerSpan.map { PageText.figure($0, "°", 0) })),
      ("Latency removed", word(render.map { PageText.count($0.latencyCompensated, "sample") })),
      ("Before the source", word(render?.head.map { PageText.count(Int($0), "sample") })),
      ("Tail kept", word(render.flatMap { $0.tail > 0 ? PageText.count($0.tail, "sample") : nil })),
      ("LFE gain", word(render?.lfeGainDB.map { PageText.figure($0, "dB", 1) })),
    ]
  }

  /// A room with its figures.
  private static func room(_ room: RenderReport.Render.Room) -> String {
    let level = PageText.figure(room.directToReverberantDB, "dB", 1)
    let middle = room.octaves.first { $0.frequencyHz == 500 }?.decaySeconds
    return room.id + ", direct sound " + level + " against "
      + (middle.map { "reverberation of \(PageText.figure($0, "s", 2)) at 500 Hz" }
        ?? "early reflections")
  }

  private var loudness: [Markup] {
    guard let loudness = output.loudness else { return [] }
    let figure = LoudnessFigure(
      length: report.seconds(of: output), stored: output.curves, loudness: loudness,
      id: context.id + "-curve", isSmall: context.isSmall, dialogue: loudness.dialogue,
      levelling: report.level
    ).markup
    let tables = LevelTables(
      loudness: loudness, downmix: output.render?.downmix, level: report.level,
      dialogueGain: report.dialogueGain, isSmall: context.isSmall
    ).markup
    return (figure.map { [$0] } ?? []) + tables
  }

  private var analysis: [Markup] {
    AnalysisSection(
      found: output.analysis, id: context.id + "-found", isSmall: context.isSmall
    ).parts
  }

  private var spectrum: [Markup] {
    let figure = output.curves?.spectrum.flatMap {
      SpectrumFigure(spectrum: $0, id: context.id + "-bands", isSmall: context.isSmall).markup
    }
    return figure.map { [$0] } ?? []
  }
}

/// Loudness figures of a render as tables.
struct LevelTables {
  let loudness: RenderReport.Loudness
  let downmix: RenderReport.Render.Downmix?
  let level: Levelling?
  let dialogueGain: RenderReport.DialogueGain?
  /// Whether channels are left out.
  let isSmall: Bool

  /// Most channels shown.
  private static let mostChannels = 64

  /// The tables.
  var markup: [Markup] {
    [figures(loudness), facts(loudness)] + (downmix.map { [gains($0)] } ?? [])
  }

  private func figures(_ loudness: RenderReport.Loudness) -> Markup {
    let (before, after) = (loudness.input, loudness.output)
    func row(_ name: String, _ before: Double?, _ after: Double?, _ unit: String)
      -> [PageTable.Cell]
    {
      let change = before.flatMap { old in after.map { $0 - old } }
      let sign = (change ?? 0) > 0.005 ? "+" : ""
      return [
        .init(name), .init(PageText.figure(before, "")), .init(PageText.figure(after, "")),
        .init(sign + PageText.figure(change, "")), .init(unit),
      ]
    }
    let dialogue =
      loudness.dialogue.map {
        [row("Dialogue loudness", loudness.inputDialogue, $0.dialogueLoudness, "LUFS")]
      } ?? []
    let channels = max(before.channelTruePeaks.count, after.channelTruePeaks.count)
    let peaks = (0..<min(channels, LevelTables.mostChannels)).map { index in
      row(
        "True peak, channel \(index + 1)",
        index < before.channelTruePeaks.count ? before.channelTruePeaks[index] : nil,
        index < after.channelTruePeaks.count ? after.channelTruePeaks[index] : nil, "dBTP")
    }
    return PageTable(
      caption: "Levels of the rendered programme before the gain, and of the delivered one",
      columns: [
        .words("Figure"), .figures("Before"), .figures("After"), .figures("Change"), .words("Unit"),
      ],
      rows: [
        row("Integrated loudness", before.integrated, after.integrated, "LUFS"),
        row("Momentary, highest", before.momentaryMax, after.momentaryMax, "LUFS"),
        row("Short-term, highest", before.shortTermMax, after.shortTermMax, "LUFS"),
        row("Loudness range", before.range, after.range, "LU"),
      ] + dialogue + [
        row("True peak", before.truePeak, after.truePeak, "dBTP"),
        row("Sample peak", before.samplePeak, after.samplePeak, "dBFS"),
      ] + (channels > 1 && !isSmall ? peaks : [])
    ).markup
  }

  private func facts(_ loudness: RenderReport.Loudness) -> Markup {
    let limiter = loudness.limiter.map { limiter in
      "up to \(PageText.figure(limiter.maxReductionDB, "dB")), active "
        + "\(PageText.figure(limiter.activeFraction * 100, "%")) of the time, "
        + "\(limiter.response) response"
    }
    let album = loudness.album.map { album in
      "one gain for \(PageText.count(album.tracks, "programme")), "
        + "\(PageText.figure(album.integrated, "LUFS")) and "
        + "\(PageText.figure(album.truePeak, "dBTP")) together"
    }
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    return PageTable.facts(
      "How the gain came about",
      [
        ("Mode", word(loudness.mode.rawValue)),
        (
          "Target",
          word(
            loudness.target.map {
              PageText.figure($0, "LUFS", 1)
                + (loudness.anchor == .dialogue ? ", of the dialogue" : "")
            })
        ), ("Dialogue", word(loudness.dialogue?.summary)),
        ("Dialogue changed by", word(dialogueGain.map(changed))),
        ("Levelled", word(level.map(levelled))),
        (
          "Gain",
          word(
            PageText.figure(loudness.gainDB, "dB")
              + (level?.window == nil ? "" : ", after levelling"))
        ),
        ("Outcome", word(loudness.outcome?.rawValue)),
        ("Limiter", word(limiter ?? "not needed")), ("Album", word(album)),
        (
          "Gain that dialnorm asks for",
          word(loudness.dialnormGainDB.map { PageText.figure($0, "dB") })
        ),
        (
          "Stated by the file",
          word(loudness.stated.map { "\(PageText.figure($0.integrated, "LUFS")) for \($0.layout)" })
        ),
      ]
    ).markup
  }

  private func changed(_ change: RenderReport.DialogueGain) -> String {
    PageText.figure(change.gainDB, "dB")
      + (change.share.map { ", with \(PageText.figure($0 * 100, "%", 0)) of the energy" } ?? "")
  }

  private func levelled(_ level: Levelling) -> String {
    guard let before = level.before, let after = level.after else {
      return "\(level.mode), \(level.outcome)"
    }
    let wanted =
      level.outcome == .notReached ? " (\(PageText.figure(level.wanted, "", 1)) wanted)" : ""
    return "\(level.mode): range \(PageText.figure(before.spread, "LU", 1)) to "
      + "\(PageText.figure(after.spread, "LU", 1))\(wanted), gain "
      + "\(PageText.figure(level.smallestGain, "", 1)) to \(PageText.figure(level.largestGain, "dB", 1))"
  }

  private func gains(_ downmix: RenderReport.Render.Downmix) -> Markup {
    PageTable(
      caption: "Gains of the downmix, linear (\(downmix.method), \(downmix.source))",
      columns: [.words("Output")]
        + downmix.inputs.prefix(LevelTables.mostChannels).map {
          .figures($0)
        },
      rows: zip(downmix.outputs, downmix.gains).map { output, gains in
        [.init(output)] + gains.map { .init(PageText.figure($0, "", 3)) }
      }, isWide: true
    ).markup
  }
}

/// The user's own processing of an output: one row for each tap.
struct TapSection {
  let taps: [RenderReport.Tap]

  /// The table; nothing without taps.
  var parts: [Markup] {
    guard !taps.isEmpty else { return [] }
    return [
      PageTable(
        caption: "Processing of your own, in the order in which the sound passed it",
        columns: [
          .words("Point"), .words("Kind"), .words("Name"), .words("Settings"),
          .figures("Delay, samples"), .figures("Peak before, dBFS"), .figures("after"),
          .figures("Level before, dBFS"), .figures("after"), .figures("CPU s"),
        ],
        rows: taps.map(row), isWide: true
      ).markup
    ] + taps.compactMap(settings)
  }

  /// All settings of a tap as they came out, closed up at first.
  private func settings(_ tap: RenderReport.Tap) -> Markup? {
    guard let resolved = tap.resolved else { return nil }
    return Markup(
      "details", [:],
      [
        Markup("summary", [:], [Markup("All settings of "), .name(tap.name)]),
        Markup("p", [:], [.name(resolved.joined(separator: "; "))]),
      ])
  }

  private func facts(_ tap: RenderReport.Tap) -> [String] {
    let items = tap.items.map { items in
      "for item \(items.prefix(20).map { "\($0)" }.joined(separator: ", "))"
        + (items.count > 20 ? " and \(items.count - 20) more" : "")
    }
    return tap.settings
      + [
        items, tap.tempo.map { "tempo × \(PageText.figure($0, "", 3))" },
        tap.deterministic ? nil : "varies from run to run",
      ].compactMap { $0 }
  }

  private func row(_ tap: RenderReport.Tap) -> [PageTable.Cell] {
    let measured = tap.latency.measured.map { ", measured \(PageText.count(Int64($0)))" } ?? ""
    return [
      .init(tap.point.rawValue), .code(tap.kind), .init(.name(tap.name)),
      .init(facts(tap).joined(separator: "; ")),
      .init(PageText.count(Int64(tap.latency.used)) + measured),
      .init(PageText.figure(tap.before.peak, "", 1)), .init(PageText.figure(tap.after.peak, "", 1)),
      .init(PageText.figure(tap.before.rms, "", 1)), .init(PageText.figure(tap.after.rms, "", 1)),
      .init(PageText.figure(tap.cpuSeconds, "", 2)),
    ]
  }
}
