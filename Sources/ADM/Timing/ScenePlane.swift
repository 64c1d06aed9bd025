import AudioCore

/// Where a plane of the rendered programme gets its samples from.
package struct ScenePlane: Sendable {
  /// The tracks.
  package var terms: SampleTerms
  /// Amplitude of all of them.
  package var gain = 1.0
  /// Samples in which it sounds, on the file's clock; it is silent outside.
  package var range: Range<Int64> = 0..<(.max)

  /// A plane that always sounds.
  package init(terms: SampleTerms) { self.terms = terms }
}
