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
