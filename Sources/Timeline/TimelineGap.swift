/// A jump in the timestamps of a track and what was done about it.
package struct TimelineGap: Sendable, Equatable, Codable {
  /// What the timestamps did.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// They jumped forward; silence was inserted.
    case gap
    /// They jumped back; the overlapping samples were dropped.
    case overlap
    /// They jumped so far, or back so far, that the clock was taken as restarted; nothing inserted or
    /// dropped.
    case discontinuity
  }

  /// Kind of jump.
  package let kind: Kind
  /// Output sample at which it lies.
  package let position: Int64
  /// Size of the jump in samples, positive.
  package let samples: Int64

  /// A jump of `samples` at output sample `position`.
  package init(kind: Kind, position: Int64, samples: Int64) {
    self.kind = kind
    self.position = position
    self.samples = samples
  }
}
