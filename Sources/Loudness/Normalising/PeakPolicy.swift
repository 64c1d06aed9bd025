/// What to do when the gain for the target loudness would lift the true peak above its limit.
public enum PeakPolicy: String, Sendable, CaseIterable, Codable {
  /// Keep the loudness; a limiter holds the peaks.
  case limit
  /// Keep the peaks; the programme stays quieter than the target.
  case lower
  /// Refuse.
  case fail
  /// Keep the loudness and let the peaks pass the limit.
  case ignore
}
