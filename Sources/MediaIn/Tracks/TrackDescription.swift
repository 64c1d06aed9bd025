import LibAV

/// What is known of an audio track once its decoder is open.
package struct TrackDescription: Sendable {
  /// The stream that is read.
  package var stream: StreamInfo
  /// Samples that the track probably has; `nil` when nothing states it.
  package var expectedSamples: Int64?
  /// Samples that the container declares; `nil` when the number would be an estimate.
  package var declaredSamples: Int64?
  /// The presentations to choose from; empty for codecs without them.
  package var presentations: [PresentationFacts] = []
}
