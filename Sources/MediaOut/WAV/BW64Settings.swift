/// Everything a ``BW64Writer`` must know before the first sample.
package struct BW64Settings: Sendable {
  /// Samples per second.
  package var sampleRate: Int
  /// Tracks, 1…65535.
  package var tracks: Int
  /// How samples are stored.
  package var encoding: SampleEncoding
  /// Dither for integer encodings.
  package var dither: Dither

  /// Settings from their values.
  package init(sampleRate: Int, tracks: Int, encoding: SampleEncoding, dither: Dither) {
    self.sampleRate = sampleRate
    self.tracks = tracks
    self.encoding = encoding
    self.dither = dither
  }
}
