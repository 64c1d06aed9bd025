/// A JUnit XML file, as CI systems read it.
struct JUnitDocument: Sendable {
  /// Its suites; those without cases are left out.
  let suites: [JUnitSuite]

  /// The whole file.
  func xml() -> String {
    let suites = suites.filter { !$0.cases.isEmpty }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pinna\" "
      + JUnitDocument.counts(suites.flatMap(\.cases)) + ">\n"
      + suites.map { suite in
        "  <testsuite name=\"\(JUnitDocument.escaped(suite.name))\" "
          + JUnitDocument.counts(suite.cases) + ">\n"
          + suite.cases.map { JUnitDocument.element($0, suite.className) }.joined()
          + "  </testsuite>\n"
      }.joined() + "</testsuites>\n"
  }

  private static func counts(_ cases: [JUnitCase]) -> String {
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
