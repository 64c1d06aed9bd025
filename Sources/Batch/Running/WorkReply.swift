import Report

/// A message of a worker: its progress, or the outcomes of a request.
package struct WorkReply: Sendable, Codable, Equatable {
  /// One item's outcome.
  package struct Outcome: Sendable, Codable, Equatable {
    /// Its entry in the batch's report.
    package var entry: BatchReport.Entry
    /// Its result, as it is stored; `nil` when it is from an earlier run.
    package var report: ItemReport?
    /// Why an existing result wasn't used; `nil` when there was none.
    package var reason: String?

    /// The outcome of an item with this result; `cached` says that the result is from an earlier run.
    package init(report: ItemReport, cached: Bool, reason: String?) {
      entry = BatchReport.Entry(report, cached: cached, result: ResultStore.place(report.id))
      self.report = cached ? nil : report
      self.reason = reason
    }
  }

  /// How far it is.
  package var progress: WorkProgress?
  /// The outcomes of all items of the request.
  package var outcomes: [Outcome]?

  /// A sign of progress.
  package init(progress: WorkProgress) { self.progress = progress }

  /// The end of a request.
  package init(outcomes: [Outcome]) { self.outcomes = outcomes }
}
