/// How a run over goldens ended (`pinna.golden/1`).
package struct GoldenReport: Sendable, Codable, Equatable {
  /// One golden.
  package struct Entry: Sendable, Codable, Equatable {
    /// Its name.
    package var id: String
    /// `passed`, `failed` or `recorded`.
    package var status: String
    /// What it guards.
    package var why: String
    /// What differs.
    package var failures: [String]
    /// How it was decided.
    package var notes: [String]
    /// Seconds it took.
    package var seconds: Double

    /// A golden.
    package init(
      id: String, status: String, why: String, failures: [String], notes: [String], seconds: Double
    ) {
      self.id = id
      self.status = status
      self.why = why
      self.failures = failures
      self.notes = notes
      self.seconds = seconds
    }
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.golden/1"

  /// Always `pinna.golden/1`.
  package var schema = GoldenReport.schemaName
  /// Folder of the cases.
  package var cases: String
  /// All goldens, in the order of their names.
  package var entries: [Entry]

  /// A report.
  package init(cases: String, entries: [Entry]) {
    self.cases = cases
    self.entries = entries
  }

  /// Number of goldens that failed.
  package var failed: Int { entries.count { $0.status == "failed" } }

  /// The report as JUnit XML, one test case a golden.
  package var junit: String {
    JUnitDocument(suites: [
      JUnitSuite(name: "golden", className: "golden", cases: entries.map(\.testCase))
    ]).xml()
  }
}

extension GoldenReport.Entry {
  /// The golden as a test case.
  var testCase: JUnitCase {
    JUnitCase(
      name: id, seconds: seconds,
      outcome: status == "failed"
        ? .failure(
          kind: "golden", message: failures.first ?? "isn't as recorded", details: failures)
        : .passed, notes: notes)
  }
}
