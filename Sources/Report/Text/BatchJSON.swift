/// The report of a batch as JSON (`pinna.batch/1`), written item by item.
package enum BatchJSON {
  /// The line of the list of items, where the report without its items has an empty list.
  private static let list = "\n  \"items\" : ["

  /// Hands the document to `write` in pieces; together they are what ``ReportJSON/pretty(_:)`` makes of the whole report.
  /// - Throws: what encoding, reading an entry or `write` throws.
  package static func write(_ outcome: BatchOutcome, to write: (String) throws -> Void) throws {
    let text = try ReportJSON.pretty(outcome.head)
    // A string in JSON holds no line break, so that this line is the report's own.
    guard outcome.entries.count > 0, let place = text.firstRange(of: list + "]") else {
      return try write(text)
    }
    try write(text[..<place.lowerBound] + list)
    var separator = "\n"
    try outcome.entries.forEach { entry in
      try write(separator + indented(try ReportJSON.pretty(entry)))
      separator = ",\n"
    }
    try write("\n  ]" + text[place.upperBound...])
  }

  /// The lines of a document, moved to where they stand in the list; the last line break is left out.
  private static func indented(_ text: String) -> String {
    text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
  }
}
