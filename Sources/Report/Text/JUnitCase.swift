/// One test case of a JUnit XML file.
struct JUnitCase: Sendable {
  /// How it ended.
  enum Outcome: Sendable {
    case passed
    /// It wasn't run, for this reason.
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
  /// What was written to standard error, a line each.
  var errors: [String] = []
}
