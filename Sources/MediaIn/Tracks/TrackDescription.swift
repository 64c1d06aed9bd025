import LibAV

/// What is known of an audio track when its decoder is open.
public struct TrackDescription: Sendable {
  /// The stream that is read.
  public var stream: StreamInfo
  /// Samples that the track probably has; `nil` when nothing says.
  public var expectedSamples: Int64?
  /// Samples that the container declares, where it doesn't merely guess them.
  public var declaredSamples: Int64?
  /// The presentations to choose from; empty for codecs without them.
  public var presentations: [PresentationFacts] = []
}
