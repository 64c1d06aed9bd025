/// A jump in the timestamps of a track and what was done about it.
public struct TimelineGap: Sendable, Equatable, Codable {
  /// What the timestamps did.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// They jumped forward; silence was inserted.
    case gap
    /// They jumped back; the overlapping samples were dropped.
    case overlap
    /// They jumped so far, or back so far, that the clock was taken as restarted; nothing inserted or
    /// dropped.
    case discontinuity
  }

  /// Kind of jump.
  public let kind: Kind
  /// Output sample at which it lies.
  public let position: Int64
  /// Size of the jump in samples, positive.
  public let samples: Int64

  /// A jump of `samples` at output sample `position`.
  public init(kind: Kind, position: Int64, samples: Int64) {
    self.kind = kind
    self.position = position
    self.samples = samples
  }
}
