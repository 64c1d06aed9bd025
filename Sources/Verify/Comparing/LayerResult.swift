/// What one layer came to.
public struct LayerResult: Sendable, Equatable {
  /// How a layer ended.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Within tolerance.
    case passed
    /// Outside.
    case failed
    /// Not compared; ``LayerResult/note`` says why.
    case skipped
  }

  /// The layer.
  public var layer: ComparisonLayer
  /// How it ended.
  public var status: Status
  /// What was measured.
  public var figures: [ComparisonFigure]
  /// When this layer fails and what it then keeps from being compared.
  public var rule: String
  /// What happened; only for failures.
  public var fault: ComparisonFault?
  /// Something to know besides.
  public var note: String?

  /// A result; it failed where there is a fault.
  public init(
    _ layer: ComparisonLayer, figures: [ComparisonFigure], rule: String, fault: ComparisonFault?,
    note: String? = nil
  ) {
    self.layer = layer
    self.figures = figures
    self.rule = rule
    self.fault = fault
    self.note = note
    status = fault == nil ? .passed : .failed
  }

  /// A layer that wasn't compared, and why.
  public static func skipped(_ layer: ComparisonLayer, _ why: String) -> LayerResult {
    var result = LayerResult(layer, figures: [], rule: "", fault: nil, note: why)
    result.status = .skipped
    return result
  }
}
