/// How much a limiter had to do.
package struct LimiterActivity: Sendable, Equatable, Codable {
  /// Largest gain reduction in dB, not below 0.
  package var maxReductionDB: Double
  /// Part of the programme's samples whose gain was reduced, 0…1.
  package var activeFraction: Double
  /// The response that reached the target.
  package var response: LimiterResponse

  /// Activity from its values; units as in the properties.
  package init(
    maxReductionDB: Double, activeFraction: Double, response: LimiterResponse = .gentle
  ) {
    self.maxReductionDB = maxReductionDB
    self.activeFraction = activeFraction
    self.response = response
  }
}
