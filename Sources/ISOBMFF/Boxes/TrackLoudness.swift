/// Measured loudness of a track. Figures that are `nil` or not finite are left out.
package struct TrackLoudness: Sendable, Equatable {
  /// Integrated loudness in LUFS (ITU-R BS.1770-4); written in steps of 0.25 from −57.75 to 6.
  package var integrated: Double?
  /// True peak in dBTP; written in steps of 1/32 from −107.97 to 19.97.
  package var truePeak: Double?
  /// Sample peak in dBFS; written like the true peak.
  package var samplePeak: Double?
  /// Loudness range in LU (EBU Tech 3342), 0…121.
  package var range: Double?
  /// Greatest momentary loudness in LUFS; written like the integrated one.
  package var momentaryMax: Double?
  /// Greatest short-term loudness in LUFS; written like the integrated one.
  package var shortTermMax: Double?

  /// Loudness of the given figures.
  package init(
    integrated: Double? = nil, truePeak: Double? = nil, samplePeak: Double? = nil,
    range: Double? = nil, momentaryMax: Double? = nil, shortTermMax: Double? = nil
  ) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.samplePeak = samplePeak
    self.range = range
    self.momentaryMax = momentaryMax
    self.shortTermMax = shortTermMax
  }
}
