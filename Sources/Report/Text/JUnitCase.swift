/// One test case of a JUnit XML file.
struct JUnitCase: Sendable {
  /// How it ended.
  enum Outcome: Sendable {
    case passed
    /// It wasn't tried, and why.
    case skipped(String? = nil)
    /// What was made isn't as it should be.
    case failure(kind: String, message: String, details: [String])
    /// It couldn't be made at all.
    case error(kind: String, message: String)
  }

  let name: String
  let seconds: Double
  let outcome: Outcome
  /// Remarks, a line each.
  var notes: [String] = []
  /// What was said on standard error, a line each.
  var errors: [String] = []
}
