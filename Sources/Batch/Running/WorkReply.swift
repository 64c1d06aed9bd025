import Report

/// What a worker says: how far it is, or what came of a request.
package struct WorkReply: Sendable, Codable, Equatable {
  /// One item's outcome.
  package struct Outcome: Sendable, Codable, Equatable {
    /// Its result, as it is stored.
    package var report: ItemReport
    /// Whether an earlier run did the work.
    package var cached: Bool
    /// Why it was done again although there was a result.
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
  /// What came of all items of the request.
  package var outcomes: [Outcome]?

  /// A sign of progress.
  package init(progress: WorkProgress) { self.progress = progress }

  /// The end of a request.
  package init(outcomes: [Outcome]) { self.outcomes = outcomes }
}
