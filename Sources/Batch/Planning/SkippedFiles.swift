import AudioCore

/// Files that a batch leaves aside, each with the reason.
struct SkippedFiles {
  /// The reasons by name. Names that are the same text in other bytes would be one key of a dictionary and of a JSON
  /// object, so all but the first of them have a number.
  private(set) var reasons: [String: String] = [:]
  private var names: PathSet = []

  /// Notes why the file `name` is left aside; the first reason counts.
  mutating func add(_ name: String, _ reason: String) {
    guard names.insert(name) else { return }
    var key = name
    var number = 1
    while reasons[key] != nil {
      number += 1
      key = "\(name) (\(number))"
    }
    reasons[key] = reason
  }
}
