/// The result of one layer.
package struct LayerResult: Sendable, Equatable {
  /// How a layer ended.
  package enum Status: String, Sendable, Codable, CaseIterable {
    /// Within tolerance.
    case passed
    /// Outside tolerance.
    case failed
    /// Not compared; ``LayerResult/note`` gives the reason.
    case skipped
  }

  /// The layer.
  package var layer: ComparisonLayer
  /// How it ended.
  package var status: Status
  /// What was measured.
  package var figures: [ComparisonFigure]
  /// The rule by which this layer fails, and what is then not compared.
  package var rule: String
  /// What happened; only for failures.
  package var fault: ComparisonFault?
  /// Further information, such as why a layer was skipped.
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
