import Report

/// A message of a worker: its progress, or the outcomes of a request.
package struct WorkReply: Sendable, Codable, Equatable {
  /// One item's outcome.
  package struct Outcome: Sendable, Codable, Equatable {
    /// Its result, as it is stored.
    package var report: ItemReport
    /// Whether the result is from an earlier run.
    package var cached: Bool
    /// Why an existing result wasn't used; `nil` when there was none.
    package var reason: String?

    /// An outcome.
    package init(report: ItemReport, cached: Bool, reason: String?) {
      self.report = report
      self.cached = cached
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
