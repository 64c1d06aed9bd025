/// What the timeline did to a track, for the report.
package struct TimelineSummary: Sendable, Equatable {
  /// The conclusions it followed.
  package var plan: TrimPlan
  /// Samples decoded, before any trimming, inserted silence included.
  package var decoded: Int64
  /// Samples before those that were left out without being decoded.
  package var skipped: Int64
  /// Start-up samples dropped or left out.
  package var startTrim: Int64
  /// Samples dropped at the end.
  package var endTrim: Int64
  /// Valid samples, those that were left out included: skipped + decoded − startTrim − endTrim.
  package var valid: Int64
  /// Jumps in the timestamps.
  package var gaps: [TimelineGap]
  /// Samples by which the container's clock is ahead of the sound at the end, by deviations that were left aside; `nil`
  /// where the clock wasn't followed to the end.
  package var clockLead: Int64?

  /// A summary from its figures.
  package init(
    plan: TrimPlan, decoded: Int64, skipped: Int64 = 0, startTrim: Int64, endTrim: Int64,
    valid: Int64, gaps: [TimelineGap], clockLead: Int64? = 0
  ) {
    self.plan = plan
    self.decoded = decoded
    self.skipped = skipped
    self.startTrim = startTrim
    self.endTrim = endTrim
    self.valid = valid
    self.gaps = gaps
    self.clockLead = clockLead
  }
}
