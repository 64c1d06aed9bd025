/// Loudness and peaks of one file.
public struct LevelFigures: Sendable, Equatable {
  /// Programme loudness in LUFS (ITU-R BS.1770-5); `nil` for silence.
  public var integrated: Double?
  /// True peak in dBTP; `nil` for silence.
  public var truePeak: Double?
  /// Loudness of every channel alone in LUFS, unweighted by its place.
  public var channelLoudness: [Double?]
  /// True peak of every channel in dBTP.
  public var channelTruePeaks: [Double?]

  /// Figures in LUFS and dBTP.
  public init(
    integrated: Double?, truePeak: Double?, channelLoudness: [Double?],
    channelTruePeaks: [Double?]
  ) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.channelLoudness = channelLoudness
    self.channelTruePeaks = channelTruePeaks
  }
}
