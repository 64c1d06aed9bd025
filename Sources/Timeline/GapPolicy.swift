/// What happens where timestamps jump by more than one codec frame (`--gaps`).
public enum GapPolicy: String, Sendable, CaseIterable, Codable {
  /// Gaps become silence, overlaps are trimmed, jumps beyond a minute count as clock restarts.
  case fill
  /// Samples are joined as they come; every jump is reported.
  case ignore
}
