/// How a batch ended: its report without the entries, and the entries, which are read one at a time.
package struct BatchOutcome {
  /// The report; its list of items is empty, but counts and exit code are those of all items.
  package var head: BatchReport
  /// All items.
  package let entries: BatchEntries

  /// An outcome.
  package init(head: BatchReport, entries: BatchEntries) {
    self.head = head
    self.entries = entries
  }

  /// The outcome that a whole report tells.
  package init(_ report: BatchReport) {
    entries = BatchEntries(report.items)
    head = report
    head.items = []
  }

  /// Whether another attempt may finish the batch: all items that aren't done failed with ``BatchReport/passing``.
  /// - Throws: what reading an entry throws.
  package func mayPass() throws -> Bool {
    var mayPass = true
    try entries.forEach { entry in
      mayPass =
        mayPass && (entry.isDone || entry.status == .error && entry.exit == BatchReport.passing)
    }
    return mayPass
  }
}
