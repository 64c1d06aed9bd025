import Batch
import Presets
import Rendering
import Report
import Verify

/// All schemas that `pinna schema` prints.
enum SchemaCatalog {
  /// Their names.
  static let names = ReportSchema.names + ["golden-list", "preset", "plan", "request", "manifest"]

  /// The schema with this name, as JSON text; `nil` for other names.
  static func named(_ name: String) throws -> String? {
    switch name {
    case "golden-list": return try ReportSchema.text([GoldenCase].self, title: "golden list")
    case "preset": return try ReportSchema.text(PresetReport.self)
    case "plan":
      return try ReportSchema.text(RenderPlan.self, title: "plan/\(RenderPlan.version)")
    case "request":
      return try ReportSchema.text(RenderRequest.self, title: "request/\(RenderRequest.version)")
    case "manifest": return try ManifestSchema.text()
    default: return try ReportSchema.named(name)
    }
  }
}

extension PresetReport: ReportDocument {}

extension PresetReport.Source: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["kind": .words(["built-in", "file"])]
  }
}

extension PresetValue: SchemaDescribed {
  package static func describeSchema() -> Schema {
    .either([.flag, .number, .text(), .list(.text())])
  }
  package static var schemaStandIn: PresetValue { .flag(false) }
}
