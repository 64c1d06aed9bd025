import LibAV

/// What is known of an audio track when its decoder is open.
package struct TrackDescription: Sendable {
  /// The stream that is read.
  package var stream: StreamInfo
  /// Samples that the track probably has; `nil` when nothing says.
  package var expectedSamples: Int64?
  /// Samples that the container declares, where it doesn't merely guess them.
  package var declaredSamples: Int64?
  /// The presentations to choose from; empty for codecs without them.
  package var presentations: [PresentationFacts] = []
}
