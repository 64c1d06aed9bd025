/// How much a limiter had to do.
public struct LimiterActivity: Sendable, Equatable, Codable {
  /// Largest gain reduction in dB, not below 0.
  public var maxReductionDB: Double
  /// Part of the programme's samples whose gain was reduced, 0…1.
  public var activeFraction: Double

  /// Activity from its values; units as in the properties.
  public init(maxReductionDB: Double, activeFraction: Double) {
    self.maxReductionDB = maxReductionDB
    self.activeFraction = activeFraction
  }
}
