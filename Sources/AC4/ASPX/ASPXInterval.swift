/// What an interval leaves for the next one (TS 103 190-1, 5.7.6.4).
struct ASPXInterval {
  /// Inverse filtering of each noise group.
  var filtering = SIMD8<UInt8>(repeating: 0)
  /// Smoothed chirp factor of each noise group.
  var chirps = SIMD8<Float>(repeating: 0)
  /// Whether there was a transient at its end.
  var hadTransientAtEnd = false
  /// Subbands with a sinusoid in its last envelope, one bit each.
  var sinusoids: UInt64 = 0
  /// Last index into the noise.
  var noiseIndex = 0
  /// Next index into the sinusoid; `nil` before the first interval.
  var sineIndex: Int?
  /// Groups that it used.
  var bands: ASPXBands?
}
