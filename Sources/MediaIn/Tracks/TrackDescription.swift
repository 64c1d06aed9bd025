import LibAV

/// What is known of an audio track once its decoder is open.
package struct TrackDescription: Sendable {
  /// The stream that is read.
  package var stream: StreamInfo
  /// Samples that the track probably has; `nil` when nothing states it.
  package var expectedSamples: Int64?
  /// Samples that the container declares; `nil` when the number would be an estimate.
  package var declaredSamples: Int64?
  /// Samples of the programme, without start-up and padding, where a header states both to the sample.
  package var programmeSamples: Int64?
  /// Whether ``declaredSamples`` is exact, and not rounded to the container's clock.
  package var isCountExact = false
  /// The presentations of AC-4 to choose from; empty for other codecs.
  package var presentations: [PresentationFacts] = []
  /// The mixes of IAMF to choose from; empty for other codecs, and where the file describes none.
  package var mixes: [MixFacts] = []
  /// What is known of objects that are decoded from a downmix; `nil` for any other track.
  package var objectCoding: ObjectCodingFacts?
}
