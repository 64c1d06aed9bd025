/// One figure of a layer with its limit.
package struct ComparisonFigure: Sendable, Equatable {
  /// Stable token, e.g. `residual`.
  package var name: String
  /// Value in ``unit``; `nil` where there is none, such as the level of silence.
  package var value: Double?
  /// Unit; empty for counts.
  package var unit: String
  /// Limit in the same unit, for figures that decide.
  package var limit: Double?

  /// A figure.
  package init(_ name: String, _ value: Double?, _ unit: String = "", limit: Double? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.limit = limit
  }
}
