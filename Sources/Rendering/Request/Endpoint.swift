/// What the output will be listened to on (`--endpoint`).
public enum Endpoint: String, Sendable, CaseIterable, Codable {
  /// Binaural for headphones.
  case headphones
  /// Two loudspeakers in front of the listener.
  case speakers
  /// Channels as they are.
  case none
}
