/// A comparison of two files.
struct ComparisonSection {
  let report: ComparisonReport
  let summary: ItemSummary
  let context: SectionContext

  /// All parts.
  var markup: [Markup] {
    let verdict =
      report.alike
      ? Markup("p", ["class": "fine"], text: "✓ " + report.verdict)
      : SectionContext.problem(report.verdict, nil)
    return [verdict, context.cards(cards)]
      + [
        context.part("files", "Files", [files]), context.part("layers", "Layers", [layers]),
        context.part("figures", "Figures against what is allowed", figures),
      ].compactMap { $0 }
  }

  private var cards: [(name: String, value: String, note: String?)] {
    let failed = report.layers.count { $0.status == "failed" }
    let passed = report.layers.count { $0.status == "passed" }
    return [
      ("Verdict", summary.grade.sign + " " + summary.status, "exit code \(summary.exit)"),
      ("Tolerance", report.tolerance, nil),
      (
        "Layers", "\(passed) passed, \(failed) failed",
        "\(report.layers.count - passed - failed) skipped"
      ), ("Explained by", report.explainedBy ?? "–", nil),
    ]
  }

  private var files: Markup {
    func row(_ name: String, _ party: ComparisonReport.Party) -> [PageTable.Cell] {
      [
        .init(name), .init(context.file(party.path)), .init(party.container), .init(party.codec),
        .init(party.layout), .init(PageText.rate(party.rate)),
        .init(PageText.count(party.samples)), party.pcmSHA256.map { .hash($0) } ?? .init("–"),
      ]
    }
    return PageTable(
      caption: "What was compared",
      columns: [
        .words("Role"), .words("File"), .words("Container"), .words("Codec"), .words("Layout"),
        .figures("Rate"), .figures("Samples"), .words("SHA-256 of the samples"),
      ], rows: [row("Reference", report.reference), row("Test", report.test)], isWide: true
    ).markup
  }

  private var layers: Markup {
    PageTable(
      caption: "Layers in the order they are judged",
      columns: [.words("Layer"), .words("Status"), .words("What happened"), .words("Rule")],
      rows: report.layers.map { layer in
        let happened = [layer.fault, layer.note].compactMap { $0 }.joined(separator: "; ")
        return [
          .init(layer.layer), .init(ComparisonSection.status(layer.status)),
          .init(happened.isEmpty ? "–" : happened), .init(layer.rule),
        ]
      }, isWide: true
    ).markup
  }

  private static func status(_ status: String) -> Markup {
    let (look, sign) =
      status == "passed" ? ("good", "✓ ") : status == "failed" ? ("bad", "✗ ") : ("", "– ")
    return Markup(
      "span", ["class": "badge \(look)"],
      [Markup("span", ["aria-hidden": "true"], text: sign), Markup(status)])
  }

  private var figures: [Markup] {
    report.layers.prefix(PageTable.mostRows).enumerated().flatMap { index, layer -> [Markup] in
      guard !layer.figures.isEmpty else { return [] }
      let isExact = ToleranceFigure.exactLayers.contains(layer.layer)
      let table = PageTable(
        caption: "Figures of the layer \(layer.layer)",
        columns: [
          .words("Figure"), .figures("Value"), .figures(isExact ? "Expected" : "Allowed"),
          .words("Unit"), .words("Kept"),
        ],
        rows: layer.figures.map { figure in
          let isKept = ToleranceFigure.isKept(figure, isExact: isExact)
          return [
            .init(figure.name), .init(ToleranceFigure.number(figure.value)),
            .init(ToleranceFigure.number(figure.limit)),
            .init(figure.unit.isEmpty ? "–" : figure.unit),
            .init(isKept.map { $0 ? "✓ yes" : "✗ no" } ?? "–"),
          ]
        }, hidesCaption: true)
      let picture = ToleranceFigure(layer: layer, id: "\(context.id)-bars\(index)").markup
      let heading = Markup(
        "h\(context.level + 1)", [:],
        [Markup(layer.layer), Markup(" "), ComparisonSection.status(layer.status)])
      return [
        Markup(
          "div", ["class": "layer"],
          [
            heading,
            Markup("div", ["class": "pair"], (picture.map { [$0] } ?? []) + [table.markup]),
          ])
      ]
    }
  }
}
