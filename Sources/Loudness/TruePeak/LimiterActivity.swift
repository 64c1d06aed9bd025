/// How much a limiter had to do.
public struct LimiterActivity: Sendable, Equatable, Codable {
  /// Largest gain reduction in dB, not below 0.
  public var maxReductionDB: Double
  /// Part of the programme's samples whose gain was reduced, 0…1.
  public var activeFraction: Double
  /// The response that reached the target.
  public var response: LimiterResponse

  /// Activity from its values; units as in the properties.
  public init(
    maxReductionDB: Double, activeFraction: Double, response: LimiterResponse = .gentle
  ) {
    self.maxReductionDB = maxReductionDB
    self.activeFraction = activeFraction
    self.response = response
  }
}
