import AudioCore

/// The report of one render.
struct RenderSection {
  let report: RenderReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts in the order of reading: what came of it, why, and how.
  var markup: [Markup] {
    var content: [Markup] = []
    if let problem = summary.problem {
      content.append(SectionContext.problem(problem, summary.problemKind))
    }
    content.append(context.cards(cards))
    let loudness = report.loudness.flatMap {
      LoudnessFigure(
        report: report, loudness: $0, id: context.id + "-curve", isSmall: context.isSmall
      ).markup
    }
    let spectrum = report.curves?.spectrum.flatMap {
      SpectrumFigure(
        spectrum: $0, id: context.id + "-bands", isSmall: context.isSmall
      ).markup
    }
    let levels = LevelTables(report: report, isSmall: context.isSmall)
    let parts = [
      context.part("degradations", "Degradations", [degradations]),
      context.part("loudness", "Loudness", (loudness.map { [$0] } ?? []) + levels.markup),
      context.part("spectrum", "Spectrum", spectrum.map { [$0] } ?? []),
      context.part("timeline", "Timeline", timeline),
      context.part("decisions", "Decisions", report.decisions.isEmpty ? [] : [decisions]),
      context.part("outputs", "Outputs", outputs), context.part("job", "Job", [job]),
    ]
    return content + parts.compactMap { $0 }
  }

  private var cards: [(name: String, value: String, note: String?)] {
    var cards: [(String, String, String?)] = [
      ("Status", summary.grade.sign + " " + summary.status, "exit code \(summary.exit)")
    ]
    if let loudness = report.loudness {
      let target = loudness.target.map { "target \(PageText.figure($0, "LUFS", 1))" }
      cards.append(
        (
          "Loudness, LUFS",
          PageText.figure(loudness.input.integrated, "", 1) + " → "
            + PageText.figure(loudness.output.integrated, "", 1), target ?? "left alone"
        ))
      cards.append(
        (
          "True peak, dBTP",
          PageText.figure(loudness.input.truePeak, "", 1) + " → "
            + PageText.figure(loudness.output.truePeak, "", 1), "before → after"
        ))
      let limiter = loudness.limiter.map {
        "limiter up to \(PageText.figure($0.maxReductionDB, "dB", 1))"
      }
      cards.append(
        ("Gain", PageText.figure(loudness.gainDB, "dB"), limiter ?? "no limiter needed"))
    }
    if let duration = summary.duration {
      let samples = report.timeline.map { PageText.count($0.samplesOut) + " samples" }
      cards.append(("Length", PageText.duration(duration), samples))
    }
    if let cost = report.performance {
      let speed = summary.speed.map { PageText.figure($0, "× real time", 0) }
      cards.append(
        (
          "Time", PageText.duration(cost.wallSeconds),
          speed ?? "\(PageText.figure(cost.cpuSeconds, "CPU s"))"
        ))
    }
    return cards
  }

  private var degradations: Markup {
    guard !report.degradations.isEmpty else {
      return Markup(
        "p", ["class": "fine"], text: "✓ None: nothing was changed without being asked for.")
    }
    return PageTable(
      caption: "What was changed or is in doubt",
      columns: [.words("Kind"), .words("What happened")],
      rows: report.degradations.map { [.code($0.code.rawValue), .init($0.message)] }
    ).markup
  }

  private var decisions: Markup {
    PageTable(
      caption: "Choices made for you",
      columns: [.words("About"), .words("Choice"), .words("Reason")],
      rows: report.decisions.map { [.init($0.code.rawValue), .init($0.chose), .init($0.why)] }
    ).markup
  }

  private var timeline: [Markup] {
    guard let timeline = report.timeline else { return [] }
    let figure = TimelineFigure(timeline: timeline, id: context.id + "-map")
    let rate = timeline.start.rate
    func row(_ name: String, _ samples: Int64, _ note: String) -> [PageTable.Cell] {
      [
        .init(name), .init(PageText.count(samples)),
        .init(PageText.duration(PageText.seconds(samples, rate: rate))), .init(note),
      ]
    }
    let rows =
      [
        row(
          "Priming", timeline.priming.samples,
          trimmed(timeline.priming.samples, timeline.priming.source)),
        row("Programme", figure.valid, "kept, from the source's sample \(timeline.start.samples)"),
        row("Padding", timeline.padding, trimmed(timeline.padding, timeline.paddingSource)),
      ]
      + timeline.gaps.map { gap in
        row("Jump: \(gap.kind)", gap.samples, "at output sample \(PageText.count(gap.position))")
      }
      + [
        [
          .init("Output"), .init(PageText.count(timeline.samplesOut)),
          .init(PageText.duration(summary.duration)), .init("delivered, at the output's rate"),
        ]
      ]
    return [
      figure.markup,
      PageTable(
        caption: "Samples, per channel",
        columns: [.words("Part"), .figures("Samples"), .figures("Time"), .words("Note")], rows: rows
      ).markup,
    ]
  }

  private func trimmed(_ samples: Int64, _ source: String) -> String {
    guard source != "unknown" else { return "nothing says how much there is; all is kept" }
    return (samples > 0 ? "dropped" : "none") + ", according to \(source)"
  }

  private var outputs: [Markup] {
    guard !report.outputs.isEmpty else {
      return [Markup("p", ["class": "note"], text: "No file was written.")]
    }
    let rate = report.render?.rate ?? report.input?.rate ?? 0
    let files = PageTable(
      caption: "Files written",
      columns: [
        .words("File"), .words("Format"), .words("Endpoint"), .figures("Length"),
        .figures("Gain, dB"), .figures("Loudness, LUFS"), .figures("True peak, dBTP"),
        .words("Read back"),
      ],
      rows: report.outputs.map { output in
        [
          .init(context.file(output.path)), .init(output.format), .init(output.endpoint),
          .init(PageText.duration(PageText.seconds(output.samples, rate: rate))),
          .init(PageText.figure(output.gainDB, "")), .init(PageText.figure(output.integrated, "")),
          .init(PageText.figure(output.truePeak, "")),
          .init(output.verified ? "✓ as meant" : "✗ not checked"),
        ]
      }, isWide: true)
    let hashes = PageTable(
      caption: "SHA-256 of the samples", columns: [.words("File"), .words("Hash")],
      rows: report.outputs.map {
        [.init(Markup.name(PageText.fileName($0.path))), .hash($0.pcmSHA256)]
      })
    let tracks = report.outputs.flatMap { output in
      (output.tracks ?? []).map { track -> [PageTable.Cell] in
        [
          .init(Markup.name(PageText.fileName(output.path))), .init(track.kind), .init(track.codec),
          .init(PageText.count(Int64(track.count))), .init(track.language ?? "–"),
        ]
      }
    }
    guard !tracks.isEmpty else { return [files.markup, hashes.markup] }
    let beside = PageTable(
      caption: "Tracks beside the sound",
      columns: [
        .words("File"), .words("Kind"), .words("Codec"), .figures("Pictures or texts"),
        .words("Language"),
      ], rows: tracks)
    return [files.markup, beside.markup, hashes.markup]
  }

  private var job: Markup {
    let input = report.input
    let render = report.render
    let cost = report.performance
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    let facts: [(String, Markup?)] = [
      ("Input", input.map { context.file($0.path) }), ("Container", word(input?.container)),
      ("Stream", word(input.map { "\($0.stream)" })),
      ("Codec", word(input.map { $0.codec + ($0.profile.map { ", " + $0 } ?? "") })),
      ("Layout", word(input.map { $0.layout + ", " + PageText.rate($0.rate) })),
      ("Language", word(input?.language)),
      ("Dialogue level", word(input?.dialnorm.map { PageText.figure($0, "dB", 0) })),
      ("Audio objects", word(input?.objects)),
      (
        "Rendered for",
        word(render.map { $0.endpoint + ", " + $0.layout + ", " + PageText.rate($0.rate) })
      ), ("Virtualised", word(render.map { $0.virtualized ? "yes" : "no" })),
      ("HRTF set", render?.hrtf.map { .name($0.id) }),
      ("HRTF SHA-256", render?.hrtf.map { Markup("code", ["class": "hash"], text: $0.sha256) }),
      ("Loudspeakers apart", word(render?.speakerSpan.map { PageText.figure($0, "°", 0) })),
      ("Latency removed", word(render.map { PageText.count($0.latencyCompensated, "sample") })),
      ("Tail kept", word(render.flatMap { $0.tail > 0 ? PageText.count($0.tail, "sample") : nil })),
      ("LFE gain", word(render?.lfeGainDB.map { PageText.figure($0, "dB", 1) })),
      ("Pinna", word(report.toolchain.pinna)), ("libavcodec", word(report.toolchain.libavcodec)),
      ("Processor", word(report.toolchain.cpu.joined(separator: ", "))),
      ("CPU time", word(cost.map { PageText.figure($0.cpuSeconds, "s") })),
      ("Memory", word(cost.map { PageText.figure($0.peakRSSMiB, "MiB", 0) })),
    ]
    return PageTable.facts("Input, renderer and toolchain", facts).markup
  }
}
