/// What happens when a packet can't be decoded.
public enum DamagePolicy: String, Sendable, CaseIterable, Codable {
  /// The job fails (exit 4).
  case fail
  /// The packet's time is filled with silence and the report says so.
  case conceal
}
