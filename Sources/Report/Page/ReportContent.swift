/// A report that Pinna wrote.
package enum ReportContent: Sendable, Equatable {
  /// `pinna.report/2`, or version 1 as it was written before: `render --report` and `--json`.
  case render(RenderReport)
  /// `pinna.comparison/1`: `compare --json`.
  case comparison(ComparisonReport)
  /// `pinna.golden/1`: `golden verify --json`.
  case golden(GoldenReport)
  /// `pinna.validation/1`: `validate --json`.
  case validation(ValidationReport)

  /// The schemas, in this order.
  package static let schemas = [
    RenderReport.schemaName, RenderReport.firstSchemaName, ComparisonReport.schemaName,
    GoldenReport.schemaName, ValidationReport.schemaName,
  ]
}
