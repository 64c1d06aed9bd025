import Report

/// What a worker says: how far it is, or what came of a request.
public struct WorkReply: Sendable, Codable, Equatable {
  /// One item's outcome.
  public struct Outcome: Sendable, Codable, Equatable {
    /// Its result, as it is stored.
    public var report: ItemReport
    /// Whether an earlier run did the work.
    public var cached: Bool
    /// Why it was done again although there was a result.
    public var reason: String?

    /// An outcome.
    public init(report: ItemReport, cached: Bool, reason: String?) {
      self.report = report
      self.cached = cached
      self.reason = reason
    }
  }

  /// How far it is.
  public var progress: WorkProgress?
  /// What came of all items of the request.
  public var outcomes: [Outcome]?

  /// A sign of progress.
  public init(progress: WorkProgress) { self.progress = progress }

  /// The end of a request.
  public init(outcomes: [Outcome]) { self.outcomes = outcomes }
}
