/// Loudness and peaks of one file.
package struct LevelFigures: Sendable, Equatable {
  /// Programme loudness in LUFS (ITU-R BS.1770-5); `nil` for silence.
  package var integrated: Double?
  /// True peak in dBTP; `nil` for silence.
  package var truePeak: Double?
  /// Loudness of every channel alone in LUFS, unweighted by its place.
  package var channelLoudness: [Double?]
  /// True peak of every channel in dBTP.
  package var channelTruePeaks: [Double?]

  /// Figures in LUFS and dBTP.
  package init(
    integrated: Double?, truePeak: Double?, channelLoudness: [Double?],
    channelTruePeaks: [Double?]
  ) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.channelLoudness = channelLoudness
    self.channelTruePeaks = channelTruePeaks
  }
}
