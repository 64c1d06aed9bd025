/// Files that a batch leaves aside, each with the reason.
struct SkippedFiles {
  /// The reasons by name. Names that are the same text in other bytes are one key of a dictionary and of a JSON object, so
  /// that all but the first of them have a number.
  private(set) var reasons: [String: String] = [:]

  /// Notes that the file `name` is left aside.
  mutating func add(_ name: String, _ reason: String) {
    var key = name
    var number = 1
    while reasons[key] != nil {
      number += 1
      key = "\(name) (\(number))"
    }
    reasons[key] = reason
  }
}
