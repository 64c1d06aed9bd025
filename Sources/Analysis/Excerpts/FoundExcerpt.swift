/// A stretch of a programme that is worth listening to.
package struct FoundExcerpt: Sendable, Equatable {
  /// Why it was chosen.
  package enum Reason: String, Sendable, CaseIterable, Codable {
    /// Sound moves between the channels, loudly.
    case motion
    /// One voice or instrument in the middle comes and goes as speech does.
    case dialogue
    /// It is quiet, though not silent.
    case quiet
    /// The programme is hardly longer than an excerpt.
    case whole
  }

  /// First sample.
  package let start: Int64
  /// Length in samples.
  package let length: Int64
  /// Why it was chosen.
  package let reason: Reason
}
