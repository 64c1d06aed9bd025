/// What one layer came to.
package struct LayerResult: Sendable, Equatable {
  /// How a layer ended.
  package enum Status: String, Sendable, Codable, CaseIterable {
    /// Within tolerance.
    case passed
    /// Outside.
    case failed
    /// Not compared; ``LayerResult/note`` says why.
    case skipped
  }

  /// The layer.
  package var layer: ComparisonLayer
  /// How it ended.
  package var status: Status
  /// What was measured.
  package var figures: [ComparisonFigure]
  /// When this layer fails and what it then keeps from being compared.
  package var rule: String
  /// What happened; only for failures.
  package var fault: ComparisonFault?
  /// Something to know besides.
  package var note: String?

  /// A result; it failed where there is a fault.
  package init(
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
  package static func skipped(_ layer: ComparisonLayer, _ why: String) -> LayerResult {
    var result = LayerResult(layer, figures: [], rule: "", fault: nil, note: why)
    result.status = .skipped
    return result
  }
}
