/// Reports as JUnit XML, as CI systems read it: a suite for each kind of report, and one of its own for
/// each comparison, whose cases are the layers.
package struct JUnitReport: Sendable {
  /// The reports, in order.
  package var items: [ReportItem]

  /// Remarks on a degraded render aren't failures: they go into the case's `system-out`.
  package init(items: [ReportItem]) { self.items = ReportItem.distinct(items) }

  /// The whole file.
  package func xml() -> String { JUnitDocument(suites: suites).xml() }

  private var suites: [JUnitSuite] {
    var renders: [JUnitCase] = []
    var validations: [JUnitCase] = []
    var others: [(String, [JUnitCase])] = []
    for item in items {
      switch item.content {
      case .render(let report): renders.append(render(report, item))
      case .validation(let report): validations.append(validation(report, item))
      case .comparison(let report):
        others.append(("compare " + item.name, report.layers.map(layer)))
      case .golden(let report): others.append((item.name, report.entries.map(\.testCase)))
      }
    }
    return ([("render", renders), ("validate", validations)] + others).map { name, cases in
      JUnitSuite(name: name, className: "pinna." + name, cases: cases)
    }
  }

  private func render(_ report: RenderReport, _ item: ReportItem) -> JUnitCase {
    let summary = ItemSummary(item)
    var outcome = JUnitCase.Outcome.passed
    if let problem = summary.problem {
      let kind = summary.problemKind ?? "error"
      // With 7, 8 and 9 the output exists but isn't what was asked for.
      outcome =
        (7...9).contains(report.exit)
        ? .failure(kind: kind, message: problem, details: [problem])
        : .error(kind: kind, message: problem)
    }
    return JUnitCase(
      name: item.name, seconds: summary.wallSeconds ?? 0, outcome: outcome,
      notes: report.degradations.map { entry in
        let file = report.name(of: entry.subject).map { "\($0): " } ?? ""
        return "\(entry.code.rawValue): \(file)\(entry.message)"
      } + summary.outputs.map(figures))
  }

  /// One of several outputs as a line.
  private func figures(_ output: ItemSummary.Output) -> String {
    func change(_ pair: (before: Double?, after: Double?), _ unit: String) -> String? {
      guard pair.before != nil || pair.after != nil else { return nil }
      return PageText.figure(pair.before, "", 1) + " → " + PageText.figure(pair.after, unit, 1)
    }
    let figures = [
      change(output.loudness, "LUFS"), change(output.truePeak, "dBTP"),
      output.duration.map { PageText.duration($0) },
    ]
    return output.name + ": " + figures.compactMap { $0 }.joined(separator: ", ")
  }

  private func validation(_ report: ValidationReport, _ item: ReportItem) -> JUnitCase {
    guard let first = report.findings.first else {
      return JUnitCase(name: item.name, seconds: 0, outcome: .passed)
    }
    return JUnitCase(
      name: item.name, seconds: 0,
      outcome: .failure(
        kind: first.code, message: first.message,
        details: report.findings.map { "\($0.code) \($0.path): \($0.message)" }))
  }

  private func layer(_ layer: ComparisonReport.Layer) -> JUnitCase {
    let figures = layer.figures.map { figure in
      let limit = figure.limit.map { ", allowed \(SVGText.figure($0, 3))" } ?? ""
      return "\(figure.name) \(PageText.figure(figure.value, figure.unit, 3))\(limit)"
    }
    var outcome = JUnitCase.Outcome.passed
    if layer.status == "failed" {
      outcome = .failure(
        kind: layer.layer, message: layer.fault ?? layer.rule, details: [layer.rule])
    } else if layer.status == "skipped" {
      outcome = .skipped()
    }
    return JUnitCase(
      name: layer.layer, seconds: 0, outcome: outcome,
      notes: figures + [layer.note].compactMap { $0 }
    )
  }
}
