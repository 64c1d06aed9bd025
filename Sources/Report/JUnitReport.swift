/// Reports as JUnit XML, as CI systems read it: a suite for each kind of report, and one of its own for
/// each comparison, whose cases are the layers.
public struct JUnitReport: Sendable {
  /// The reports, in order.
  public var items: [ReportItem]

  /// Remarks on a degraded render aren't failures: they stand in its `system-out`.
  public init(items: [ReportItem]) { self.items = ReportItem.distinct(items) }

  /// The whole file.
  public func xml() -> String {
    let suites = self.suites.filter { !$0.cases.isEmpty }
    let all = suites.flatMap(\.cases)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pinna\" "
      + JUnitReport.counts(all) + ">\n"
      + suites.map { suite in
        "  <testsuite name=\"\(JUnitReport.escaped(suite.name))\" "
          + JUnitReport.counts(suite.cases) + ">\n"
          + suite.cases.map { JUnitReport.element($0, suite.name) }.joined() + "  </testsuite>\n"
      }.joined() + "</testsuites>\n"
  }

  private enum Outcome {
    case passed, skipped
    /// What was made isn't as it should be.
    case failure(kind: String, message: String, details: [String])
    /// It couldn't be made at all.
    case error(kind: String, message: String)
  }

  private struct Case {
    let name: String
    let seconds: Double
    let outcome: Outcome
    var notes: [String] = []
  }

  private var suites: [(name: String, cases: [Case])] {
    var renders: [Case] = []
    var validations: [Case] = []
    var others: [(String, [Case])] = []
    for item in items {
      switch item.content {
      case .render(let report): renders.append(render(report, item))
      case .validation(let report): validations.append(validation(report, item))
      case .comparison(let report):
        others.append(("compare " + item.name, report.layers.map(layer)))
      case .golden(let report): others.append((item.name, report.entries.map(golden)))
      }
    }
    return [("render", renders), ("validate", validations)] + others
  }

  private func render(_ report: RenderReport, _ item: ReportItem) -> Case {
    let summary = ItemSummary(item)
    var outcome = Outcome.passed
    if let problem = summary.problem {
      let kind = summary.problemKind ?? "error"
      // 7, 8 and 9: the output exists but isn't what was asked for.
      outcome =
        (7...9).contains(report.exit)
        ? .failure(kind: kind, message: problem, details: [problem])
        : .error(kind: kind, message: problem)
    }
    return Case(
      name: item.name, seconds: summary.wallSeconds ?? 0, outcome: outcome,
      notes: report.degradations.map { "\($0.kind): \($0.message)" })
  }

  private func validation(_ report: ValidationReport, _ item: ReportItem) -> Case {
    guard let first = report.findings.first else {
      return Case(name: item.name, seconds: 0, outcome: .passed)
    }
    return Case(
      name: item.name, seconds: 0,
      outcome: .failure(
        kind: first.code, message: first.message,
        details: report.findings.map { "\($0.code) \($0.path): \($0.message)" }))
  }

  private func layer(_ layer: ComparisonReport.Layer) -> Case {
    let figures = layer.figures.map { figure in
      let limit = figure.limit.map { ", allowed \(SVGText.figure($0, 3))" } ?? ""
      return "\(figure.name) \(PageText.figure(figure.value, figure.unit, 3))\(limit)"
    }
    var outcome = Outcome.passed
    if layer.status == "failed" {
      outcome = .failure(
        kind: layer.layer, message: layer.fault ?? layer.rule, details: [layer.rule])
    } else if layer.status == "skipped" {
      outcome = .skipped
    }
    return Case(
      name: layer.layer, seconds: 0, outcome: outcome,
      notes: figures + [layer.note].compactMap { $0 }
    )
  }

  private func golden(_ entry: GoldenReport.Entry) -> Case {
    Case(
      name: entry.id, seconds: entry.seconds,
      outcome: entry.status == "failed"
        ? .failure(
          kind: "golden", message: entry.failures.first ?? "isn't as recorded",
          details: entry.failures) : .passed, notes: entry.notes)
  }

  private static func counts(_ cases: [Case]) -> String {
    var (failures, errors, skipped, seconds) = (0, 0, 0, 0.0)
    for entry in cases {
      seconds += entry.seconds.isFinite ? entry.seconds : 0
      switch entry.outcome {
      case .passed: break
      case .skipped: skipped += 1
      case .failure: failures += 1
      case .error: errors += 1
      }
    }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" "
      + "skipped=\"\(skipped)\" time=\"\(SVGText.fixed(seconds, 3))\""
  }

  private static func element(_ entry: Case, _ suite: String) -> String {
    let head =
      "    <testcase classname=\"\(escaped("pinna." + suite))\" name=\"\(escaped(entry.name))\" "
      + "time=\"\(SVGText.fixed(entry.seconds, 3))\""
    var content = ""
    switch entry.outcome {
    case .passed: break
    case .skipped: content = "      <skipped/>\n"
    case .failure(let kind, let message, let details):
      content =
        "      <failure type=\"\(escaped(kind))\" message=\"\(escaped(message))\">"
        + lines(details) + "</failure>\n"
    case .error(let kind, let message):
      content =
        "      <error type=\"\(escaped(kind))\" message=\"\(escaped(message))\">"
        + lines([message]) + "</error>\n"
    }
    if !entry.notes.isEmpty {
      content += "      <system-out>\(lines(entry.notes))</system-out>\n"
    }
    return content.isEmpty ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n"
  }

  private static func lines(_ lines: [String]) -> String {
    let shown = lines.prefix(PageTable.mostRows).map(escaped)
    let rest = lines.count - shown.count
    return (shown + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String { Markup(text).source }
}
