/// The state of one channel that A-SPX carries from one interval to the next (TS 103 190-1, 5.7.6.4).
struct ASPXInterval {
  /// `aspx_tna_mode` of each noise group.
  var filtering = SIMD8<UInt8>(repeating: 0)
  /// Smoothed chirp factor of each noise group.
  var chirps = SIMD8<Float>(repeating: 0)
  /// Whether the interval ended with a transient.
  var hadTransientAtEnd = false
  /// Subbands with a sinusoid in the interval's last envelope, one bit each.
  var sinusoids: UInt64 = 0
  /// Index of the last noise value that was used.
  var noiseIndex = 0
  /// Phase of the sinusoids in the next slot, in quarter turns; `nil` before the first interval.
  var sineIndex: Int?
  /// The subband groups of the interval.
  var bands: ASPXBands?
}
