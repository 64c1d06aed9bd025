/// Test cases that belong together in a JUnit XML file.
struct JUnitSuite: Sendable {
  let name: String
  /// What CI systems group its cases by.
  let className: String
  let cases: [JUnitCase]
}
