/// Result of measuring a programme: loudness in LUFS and LU, peaks in dBTP and dBFS.
///
/// Every value is finite, or `nil` where the programme has none.
package struct LoudnessMeasurement: Sendable, Equatable, Codable {
  /// Programme loudness in LUFS (ITU-R BS.1770-5, Annex 1); `nil` when nothing passes the gates.
  package var integrated: Double?
  /// Largest loudness of any 400 ms, read every 10 ms, in LUFS (EBU Tech 3341); `nil` below 400 ms
  /// and for silence.
  package var momentaryMax: Double?
  /// Largest loudness of any 3 s, read every 100 ms, in LUFS (EBU Tech 3341); `nil` below 3 s and
  /// for silence.
  package var shortTermMax: Double?
  /// Loudness range in LU (EBU Tech 3342); `nil` when no 3 s block passes the absolute gate.
  package var range: Double?
  /// Largest true peak of any channel in dBTP (ITU-R BS.1770-5, Annex 2); `nil` for digital
  /// silence or when not measured.
  package var truePeak: Double?
  /// True peak of each channel in dBTP, in channel order; `nil` where silent or not measured.
  package var channelTruePeaks: [Double?]
  /// Largest sample magnitude of any channel in dBFS; `nil` for digital silence.
  package var samplePeak: Double?
  /// Whether the programme is shorter than 400 ms; ``integrated`` is then the ungated loudness of
  /// all its samples taken as one block.
  package var isShort: Bool
  /// Samples per channel that were measured.
  package var samples: Int64

  /// A measurement from its values; units as in the properties.
  package init(
    integrated: Double? = nil, momentaryMax: Double? = nil, shortTermMax: Double? = nil,
    range: Double? = nil, truePeak: Double? = nil, channelTruePeaks: [Double?] = [],
    samplePeak: Double? = nil, isShort: Bool = false, samples: Int64 = 0
  ) {
    self.integrated = integrated
    self.momentaryMax = momentaryMax
    self.shortTermMax = shortTermMax
    self.range = range
    self.truePeak = truePeak
    self.channelTruePeaks = channelTruePeaks
    self.samplePeak = samplePeak
    self.isShort = isShort
    self.samples = samples
  }
}
