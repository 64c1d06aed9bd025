/// One figure of a layer with the limit it was held against.
public struct ComparisonFigure: Sendable, Equatable {
  /// Stable token, e.g. `residual`.
  public var name: String
  /// Value in ``unit``; `nil` where there is none, such as the level of nothing.
  public var value: Double?
  /// Unit; empty for counts.
  public var unit: String
  /// Limit in the same unit, for figures that decide.
  public var limit: Double?

  /// A figure.
  public init(_ name: String, _ value: Double?, _ unit: String = "", limit: Double? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.limit = limit
  }
}
