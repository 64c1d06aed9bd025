/// What a virtualised programme is made for; our own mark in a file's coding history.
public enum Virtualization: String, Sendable, Hashable, Codable, CaseIterable {
  /// Headphones.
  case binaural
  /// Two loudspeakers ahead.
  case speakers

  /// What says so in a WAV file's coding history or the name of an MP4 file's encoder.
  package var mark: String { "virtualized=\(rawValue)" }
}
