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
