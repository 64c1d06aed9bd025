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
}
