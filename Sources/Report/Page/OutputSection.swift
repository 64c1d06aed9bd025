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
    return [
      (
        "Loudness, LUFS", change(loudness.input.integrated, loudness.output.integrated),
        target ?? "left alone"
      ),
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
      "section", ["aria-labelledby": heading],
      [
        Markup(
          "h\(context.level)", ["id": heading],
          [Markup("Output \(number): "), .name(PageText.fileName(output.path))])
      ] + (cards.isEmpty ? [] : [context.cards(cards)]) + copied + inner.parts
        + (renderer.map { [$0] } ?? []))
  }

  /// What the renderer did, or would do.
  static func facts(_ render: RenderReport.Render?) -> [(String, Markup?)] {
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    return [
      (
        "Rendered for",
        word(render.map { $0.endpoint + ", " + $0.layout + ", " + PageText.rate($0.rate) })
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
      id: context.id + "-curve", isSmall: context.isSmall
    ).markup
    let tables = LevelTables(
      loudness: loudness, downmix: output.render?.downmix, isSmall: context.isSmall
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
