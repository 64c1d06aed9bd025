/// What a virtualised programme is made for; our own mark in a file's coding history.
enum Virtualization: String, CaseIterable {
  /// Headphones.
  case binaural
  /// Two loudspeakers ahead.
  case speakers

  /// The field of the coding history that says so.
  var mark: String { "virtualized=\(rawValue)" }
}
