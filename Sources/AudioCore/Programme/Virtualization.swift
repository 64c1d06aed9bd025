/// What a virtualised programme is made for.
public enum Virtualization: String, Sendable, Hashable, Codable, CaseIterable {
  /// Headphones.
  case binaural
  /// Two loudspeakers ahead.
  case speakers
}
