/// What happens where timestamps jump (`--gaps`).
public enum GapPolicy: String, Sendable, CaseIterable, Codable {
  /// Gaps become silence, overlaps are trimmed. Jumps forward by more than a minute and jumps back
  /// by more than half a second or eight codec frames count as clock restarts.
  case fill
  /// Samples are joined as they come; every jump is reported.
  case ignore
}
