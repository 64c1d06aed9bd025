/// The one gain that brings a programme to its target, and what comes out of it.
///
/// With a ceiling, `TruePeakLimiter(gainDB: gainDB, ceilingDB: limiterCeilingDB)` with the response of
/// `limiter` gives exactly the measured signal, its first `latency` samples dropped; without,
/// `GainStage(gainDB: gainDB)` does.
public struct NormalizationPlan: Sendable, Equatable {
  /// Constant gain in dB.
  public var gainDB: Double
  /// Ceiling for the limiter in dBTP, at or below the target's; `nil` for plain gain.
  public var limiterCeilingDB: Double?
  /// What the limiter did; `nil` for plain gain.
  public var limiter: LimiterActivity?
  /// Measurement of the delivered signal: predicted for plain gain, measured with a limiter.
  public var output: LoudnessMeasurement

  /// A plan from its values; units as in the properties.
  public init(
    gainDB: Double, limiterCeilingDB: Double? = nil, limiter: LimiterActivity? = nil,
    output: LoudnessMeasurement
  ) {
    self.gainDB = gainDB
    self.limiterCeilingDB = limiterCeilingDB
    self.limiter = limiter
    self.output = output
  }
}
