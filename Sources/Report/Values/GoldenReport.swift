/// How a run over goldens ended (`pinna.golden/1`).
public struct GoldenReport: Sendable, Codable, Equatable {
  /// One golden.
  public struct Entry: Sendable, Codable, Equatable {
    /// Its name.
    public var id: String
    /// `passed`, `failed` or `recorded`.
    public var status: String
    /// What it guards.
    public var why: String
    /// What differs.
    public var failures: [String]
    /// How it was decided.
    public var notes: [String]
    /// Seconds it took.
    public var seconds: Double

    /// A golden.
    public init(
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
  public static let schemaName = "pinna.golden/1"

  /// Always `pinna.golden/1`.
  public var schema = GoldenReport.schemaName
  /// Folder of the cases.
  public var cases: String
  /// All goldens, in the order of their names.
  public var entries: [Entry]

  /// A report.
  public init(cases: String, entries: [Entry]) {
    self.cases = cases
    self.entries = entries
  }

  /// Number of goldens that failed.
  public var failed: Int { entries.count { $0.status == "failed" } }

  /// The report as JUnit XML, one test case a golden.
  public var junit: String {
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
