/// What a delivered programme must measure.
public struct LoudnessTarget: Sendable {
  /// Programme loudness in LUFS, −70…0.
  public var integrated: Double
  /// Largest true peak allowed, in dBTP.
  public var truePeak: Double
  /// What gives way when both can't be had with gain alone.
  public var peakPolicy: PeakPolicy

  /// A target of `integrated` LUFS with peaks up to `truePeak` dBTP.
  public init(integrated: Double, truePeak: Double, peakPolicy: PeakPolicy = .limit) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.peakPolicy = peakPolicy
  }
}
