/// What the timeline did to a track, for the report.
public struct TimelineSummary: Sendable, Equatable {
  /// The conclusions it followed.
  public var plan: TrimPlan
  /// Samples decoded, before any trimming, inserted silence included.
  public var decoded: Int64
  /// Start-up samples dropped.
  public var startTrim: Int64
  /// Samples dropped at the end.
  public var endTrim: Int64
  /// Valid samples: decoded − startTrim − endTrim.
  public var valid: Int64
  /// Jumps in the timestamps.
  public var gaps: [TimelineGap]

  /// An account from its figures.
  package init(
    plan: TrimPlan, decoded: Int64, startTrim: Int64, endTrim: Int64, valid: Int64,
    gaps: [TimelineGap]
  ) {
    self.plan = plan
    self.decoded = decoded
    self.startTrim = startTrim
    self.endTrim = endTrim
    self.valid = valid
    self.gaps = gaps
  }
}
