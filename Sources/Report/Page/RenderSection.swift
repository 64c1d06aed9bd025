// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The report of one render.
struct RenderSection {
  let report: RenderReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts in the order of reading: first the result, then its reasons, then the details.
  var markup: [Markup] {
    var content: [Markup] = []
    if let problem = summary.problem {
      content.append(SectionContext.problem(problem, summary.problemKind))
    }
    content.append(context.cards(cards))
    let sections = report.outputs.indices.map(section)
    let isSeveral = sections.count > 1
    let sound =
      isSeveral
      ? sections.enumerated().map { $1.markup(number: $0 + 1) } : sections.flatMap(\.parts)
    let before = [
      context.part(
        "listen", "Listen", MediaPlayers(outputs: report.outputs, links: context.links).parts),
      context.part("degradations", "Degradations", [degradations]),
    ]
    let after = [
      context.part(
        "queue", "Queue",
        report.queue.map {
          QueueSection(
            queue: $0, gain: report.outputs.first?.loudness?.gainDB ?? 0, context: context
          ).parts
        } ?? []
      ),
      context.part("timeline", "Timeline", timeline),
      context.part(
        "objects", "Objects",
        (report.input?.scene).map { SceneSection(objects: $0, context: context).parts } ?? []),
      context.part("decisions", "Decisions", report.decisions.isEmpty ? [] : [decisions]),
      context.part("outputs", "Outputs", outputs),
      context.part("job", "Job", isSeveral ? [job(nil)] : jobs),
    ]
    return content + before.compactMap { $0 } + sound + after.compactMap { $0 }
  }

  private func section(_ index: Int) -> OutputSection {
    let isSeveral = report.outputs.count > 1
    return OutputSection(
      report: report, output: report.outputs[index],
      context: isSeveral ? context.numbered(index + 1) : context)
  }

  private var cards: [(name: String, value: String, note: String?)] {
    var cards: [(String, String, String?)] = [
      ("Status", summary.grade.sign + " " + summary.status, "exit code \(summary.exit)")
    ]
    if report.outputs.count == 1 { cards += section(0).cards }
    if report.outputs.count > 1 {
      let copies = report.outputs.count { $0.render == nil }
      cards.append(
        (
          "Outputs", PageText.count(Int64(report.outputs.count)),
          copies > 0 ? "\(copies) copied" : "each with its own gain"
        ))
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
    return about(
      caption: "What was changed or is in doubt",
      columns: [.words("Kind"), .words("What happened")],
      rows: report.degradations.map {
        ($0.subject, [.code($0.code.rawValue), .init($0.message)])
      })
  }

  private var decisions: Markup {
    about(
      caption: "Choices made for you",
      columns: [.words("About"), .words("Choice"), .words("Reason")],
      rows: report.decisions.map {
        ($0.subject, [.init($0.code.rawValue), .init($0.chose), .init($0.why)])
      })
  }

  /// A table whose last column names the file of each row, where the report has several files.
  private func about(
    caption: String, columns: [PageTable.Column],
    rows: [(subject: DiagnosticSubject, cells: [PageTable.Cell])]
  ) -> Markup {
    let names = rows.map { report.name(of: $0.subject) }
    guard names.contains(where: { $0 != nil }) else {
      return PageTable(caption: caption, columns: columns, rows: rows.map(\.cells)).markup
    }
    return PageTable(
      caption: caption, columns: columns + [.words("File")],
      rows: zip(rows, names).map { row, name in
        row.cells + [name.map { PageTable.Cell(.name($0)) } ?? .init("all")]
      }
    ).markup
  }

  private var timeline: [Markup] {
    guard let timeline = report.timeline else { return [] }
    let figure = TimelineFigure(timeline: timeline, id: context.id + "-map")
    let rate = timeline.start.rate
    let nothing = "nothing says how much there is; all is kept"
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
          timeline.priming.source == .unknown
            ? nothing
            : trimmed(timeline.priming.samples) + ", " + timeline.priming.source.words),
        row("Programme", figure.valid, "kept, from the source's sample \(timeline.start.samples)"),
        row(
          "Padding", timeline.padding,
          timeline.paddingSource == .unknown
            ? nothing
            : trimmed(timeline.padding) + "; the programme ends " + timeline.paddingSource.words),
      ]
      + timeline.gaps.map { gap in
        row("Jump: \(gap.kind)", gap.samples, "at output sample \(PageText.count(gap.position))")
      }
      + [
        [
          .init("Used"), .init(PageText.count(timeline.samplesOut)),
          .init(PageText.duration(PageText.seconds(timeline.samplesOut, rate: rate))),
          .init("given to the renderer, at the input's rate"),
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

  private func trimmed(_ samples: Int64) -> String { samples > 0 ? "dropped" : "none" }

  private var outputs: [Markup] {
    guard !report.outputs.isEmpty else {
      return [Markup("p", ["class": "note"], text: "No file was written.")]
    }
    let files = PageTable(
      caption: "Files written",
      columns: [
        .words("File"), .words("Format"), .words("Endpoint"), .figures("Length"),
        .figures("Gain, dB"), .figures("Loudness, LUFS"), .figures("True peak, dBTP"),
        .words("Read back"),
      ],
      rows: report.outputs.map { output in
        [
          .init(context.file(output.path)), .init(output.format), .init(output.endpoint.rawValue),
          .init(PageText.duration(report.seconds(of: output))),
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
          .init(Markup.name(PageText.fileName(output.path))), .init(track.kind.rawValue),
          .init(track.codec),
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

  /// The facts of the job; in a dry run with several outputs, one table for each planned renderer.
  private var jobs: [Markup] {
    guard let planned = report.planned, planned.count > 1 else { return [job(report.render)] }
    let names = report.outputNames
    return [job(nil)]
      + planned.enumerated().map { index, render in
        let name = names.indices.contains(index) ? names[index] : "output \(index + 1)"
        return PageTable.facts(
          "Renderer of \(name)", [("Output", .name(name))] + OutputSection.facts(render)
        )
        .markup
      }
  }

  private func job(_ render: RenderReport.Render?) -> Markup {
    let input = report.input
    let cost = report.performance
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    let facts: [(String, Markup?)] = [
      ("Input", input.map { context.file($0.path) }), ("Container", word(input?.container)),
      ("Stream", word(input.map { "\($0.stream)" })),
      ("Codec", word(input.map { $0.codec + ($0.profile.map { ", " + $0 } ?? "") })),
      ("Layout", word(input.map { $0.layout + ", " + PageText.rate($0.rate) })),
      ("Language", word(input?.language)),
      ("Dialogue level", word(input?.dialnorm.map { PageText.figure($0, "dB", 0) })),
      ("Audio objects", word(input?.objects.rawValue)),
    ]
    let toolchain: [(String, Markup?)] = [
      ("Pinna", word(report.toolchain.pinna)), ("libavcodec", word(report.toolchain.libavcodec)),
      ("Processor", word(report.toolchain.cpu.joined(separator: ", "))),
      ("CPU time", word(cost.map { PageText.figure($0.cpuSeconds, "s") })),
      ("Memory", word(cost.map { PageText.figure($0.peakRSSMiB, "MiB", 0) })),
    ]
    return PageTable.facts(
      "Input, renderer and toolchain", facts + OutputSection.facts(render) + toolchain
    ).markup
  }
}
