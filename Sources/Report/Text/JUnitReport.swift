// SPDX-License-Identifier: Apache-2.0
import AudioCore

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
    var measurements: [JUnitCase] = []
    var others: [(String, [JUnitCase])] = []
    for item in items {
      switch item.content {
      case .render(let report): renders.append(render(report, item))
      case .validation(let report): validations.append(validation(report, item))
      case .measurement(let report):
        measurements.append(measurement(report.levels, report.degradations, item))
      case .album(let report): measurements.append(measurement(report.album, [], item))
      case .comparison(let report):
        others.append(("compare " + item.name, report.layers.map(layer)))
      case .golden(let report): others.append((item.name, report.entries.map(\.testCase)))
      }
    }
    let groups = [("render", renders), ("validate", validations), ("measure", measurements)]
    return (groups.filter { !$0.1.isEmpty || $0.0 != "measure" } + others).map { name, cases in
      JUnitSuite(name: name, className: "pinna." + name, cases: cases)
    }
  }

  private func measurement(
    _ levels: RenderReport.Levels, _ degradations: [Diagnostic], _ item: ReportItem
  ) -> JUnitCase {
    JUnitCase(
      name: item.name, seconds: 0, outcome: .passed,
      notes: [
        PageText.figure(levels.integrated, "LUFS") + ", " + PageText.figure(levels.truePeak, "dBTP")
      ] + degradations.map { "\($0.code.rawValue): \($0.message)" })
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
    if layer.status == .failed {
      outcome = .failure(
        kind: layer.layer.rawValue, message: layer.fault ?? layer.rule, details: [layer.rule])
    } else if layer.status == .skipped {
      outcome = .skipped()
    }
    return JUnitCase(
      name: layer.layer.rawValue, seconds: 0, outcome: outcome,
      notes: figures + [layer.note].compactMap { $0 }
    )
  }
}

/// A batch as JUnit XML: one test case an item.
package enum BatchJUnit {
  /// Hands the document to `write`, item by item.
  /// - Throws: what reading an entry or `write` throws.
  package static func write(_ outcome: BatchOutcome, to write: (String) throws -> Void) throws {
    try JUnitDocument.write(
      suite: "batch \(outcome.head.source)", className: "batch",
      cases: { body in try outcome.entries.forEach { try body(item($0)) } }, to: write)
  }

  private static func item(_ entry: BatchReport.Entry) -> JUnitCase {
    let kinds = entry.degradations.keys.sorted().joined(separator: ", ")
    let errors = entry.stderr?.split(separator: "\n", omittingEmptySubsequences: false)
    return JUnitCase(
      name: entry.id, seconds: entry.cached ? 0 : entry.performance?.wallSeconds ?? 0,
      outcome: outcome(entry), notes: kinds.isEmpty ? [] : ["degraded: \(kinds)"],
      errors: errors?.map(String.init) ?? [])
  }

  private static func outcome(_ entry: BatchReport.Entry) -> JUnitCase.Outcome {
    let message = entry.error?.message ?? ""
    switch entry.status {
    case .error:
      return .failure(
        kind: entry.error?.kind ?? "", message: message, details: ["exit \(entry.exit)"])
    case .missing: return .error(kind: "missing", message: message)
    case .stopped: return .skipped("stopped before it was done")
    case .ok, .silent, .unchanged: return .passed
    }
  }
}

/// A JUnit XML file, as CI systems read it.
struct JUnitDocument: Sendable {
  /// Its suites; those without cases are left out.
  let suites: [JUnitSuite]

  /// The whole file.
  func xml() -> String {
    let suites = suites.filter { !$0.cases.isEmpty }
    return JUnitDocument.head(JUnitCounts(suites.flatMap(\.cases)))
      + suites.map { suite in
        "  <testsuite name=\"\(JUnitDocument.escaped(suite.name))\" "
          + JUnitCounts(suite.cases).attributes + ">\n"
          + suite.cases.map { JUnitDocument.element($0, suite.className) }.joined()
          + "  </testsuite>\n"
      }.joined() + "</testsuites>\n"
  }

  /// Hands a file with one suite to `write`, case by case. `cases` hands each case to what it is given; it is called
  /// twice, because the numbers of cases come first.
  /// - Throws: what `cases` or `write` throws.
  static func write(
    suite: String, className: String, cases: @escaping ((JUnitCase) throws -> Void) throws -> Void,
    to write: (String) throws -> Void
  ) throws {
    var counts = JUnitCounts()
    try cases { counts.add($0) }
    let name = "  <testsuite name=\"\(escaped(suite))\" \(counts.attributes)>\n"
    try write(head(counts) + (counts.cases > 0 ? name : ""))
    try cases { try write(element($0, className)) }
    try write((counts.cases > 0 ? "  </testsuite>\n" : "") + "</testsuites>\n")
  }

  private static func head(_ counts: JUnitCounts) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pinna\" \(counts.attributes)>\n"
  }

  private static func element(_ entry: JUnitCase, _ className: String) -> String {
    let head =
      "    <testcase classname=\"\(escaped(className))\" name=\"\(escaped(entry.name))\" "
      + "time=\"\(SVGText.fixed(entry.seconds, 3))\""
    var content = outcome(entry.outcome)
    if !entry.notes.isEmpty {
      content += "      <system-out>\(lines(entry.notes))</system-out>\n"
    }
    if !entry.errors.isEmpty {
      content += "      <system-err>\(lines(entry.errors))</system-err>\n"
    }
    return content.isEmpty ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n"
  }

  private static func outcome(_ outcome: JUnitCase.Outcome) -> String {
    switch outcome {
    case .passed: return ""
    case .skipped(let message):
      let why = message.map { " message=\"\(escaped($0))\"" } ?? ""
      return "      <skipped\(why)/>\n"
    case .failure(let kind, let message, let details):
      return "      <failure type=\"\(escaped(kind))\" message=\"\(escaped(message))\">"
        + lines(details) + "</failure>\n"
    case .error(let kind, let message):
      return "      <error type=\"\(escaped(kind))\" message=\"\(escaped(message))\">"
        + lines([message]) + "</error>\n"
    }
  }

  private static func lines(_ lines: [String]) -> String {
    let shown = lines.prefix(PageTable.mostRows).map(escaped)
    let rest = lines.count - shown.count
    return (shown + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String { Markup(text).source }
}

/// Test cases that belong together in a JUnit XML file.
struct JUnitSuite: Sendable {
  let name: String
  /// Name by which CI systems group its cases.
  let className: String
  let cases: [JUnitCase]
}

/// One test case of a JUnit XML file.
struct JUnitCase: Sendable {
  /// How it ended.
  enum Outcome: Sendable {
    case passed
    /// The case wasn't run, for this reason.
    case skipped(String? = nil)
    /// The output exists, but isn't as it should be.
    case failure(kind: String, message: String, details: [String])
    /// No output could be made.
    case error(kind: String, message: String)
  }

  let name: String
  let seconds: Double
  let outcome: Outcome
  /// Remarks, a line each.
  var notes: [String] = []
  /// Lines of standard error.
  var errors: [String] = []
}

/// Numbers of test cases as a JUnit XML file states them.
struct JUnitCounts {
  private(set) var cases = 0
  private var failures = 0
  private var errors = 0
  private var skipped = 0
  private var seconds = 0.0

  /// Counts `cases`.
  init(_ cases: [JUnitCase] = []) { for entry in cases { add(entry) } }

  /// Counts one more.
  mutating func add(_ entry: JUnitCase) {
    cases += 1
    seconds += entry.seconds.isFinite ? entry.seconds : 0
    switch entry.outcome {
    case .passed: break
    case .skipped: skipped += 1
    case .failure: failures += 1
    case .error: errors += 1
    }
  }

  /// The numbers as attributes of an element; times are in seconds.
  var attributes: String {
    "tests=\"\(cases)\" failures=\"\(failures)\" errors=\"\(errors)\" "
      + "skipped=\"\(skipped)\" time=\"\(SVGText.fixed(seconds, 3))\""
  }
}
