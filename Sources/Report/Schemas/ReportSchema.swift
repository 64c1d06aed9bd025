/// JSON schemas (draft 2020-12) of what Pinna prints as JSON, made from the types that are printed.
package enum ReportSchema {
  /// Names that ``named(_:)`` knows.
  package static let names = [
    "report", "progress", "probe", "measure", "hrtf", "hrtf-list", "hrtf-comparison", "hrtf-fit",
    "validation", "comparison", "golden", "item", "batch", "queue-report", "queue-diff",
    "tap", "plugin", "plugins", "audition", "audition-summary",
  ]

  /// The schema with this name, as JSON text; `nil` for other names.
  /// - Throws: an error when a type can't be described, which tests rule out.
  package static func named(_ name: String) throws -> String? {
    switch name {
    case "report": return try text(RenderReport.self)
    case "progress": return try progress()
    case "probe": return try text(ProbeReport.self)
    case "measure": return try text(MeasureReport.self)
    case "hrtf": return try text(HRTFReport.self)
    case "hrtf-list": return try text(HRTFListReport.self)
    case "hrtf-comparison": return try text(HRTFComparisonReport.self)
    case "hrtf-fit": return try text(HRTFFitReport.self)
    case "validation": return try text(ValidationReport.self)
    case "comparison": return try text(ComparisonReport.self)
    case "golden": return try text(GoldenReport.self)
    case "item": return try text(ItemReport.self)
    case "batch": return try text(BatchReport.self)
    case "queue-report": return try text(QueueSurveyReport.self)
    case "queue-diff": return try text(QueueDiffReport.self)
    case "tap": return try text(TapCheckReport.self)
    case "plugin": return try text(PluginReport.self)
    case "plugins": return try text(PluginListReport.self)
    case "audition": return try text(AuditionReport.self)
    case "audition-summary": return try text(AuditionSummary.self)
    default: return nil
    }
  }

  /// The schema of a whole report, titled with its name.
  package static func text<Document: ReportDocument>(_ type: Document.Type) throws -> String {
    try text(type, title: Document.schemaName)
  }

  /// The schema of any type.
  package static func text<Value: Decodable>(_ type: Value.Type, title: String) throws -> String {
    try SchemaText.text(SchemaRecorder.record(type).schema, title: title)
  }

  private static func progress() throws -> String {
    let events = [
      try SchemaRecorder.record(ProgressEvent.self).schema,
      try SchemaRecorder.record(ItemEvent.self).schema,
      try SchemaRecorder.record(BatchEvent.self).schema,
      try SchemaRecorder.record(GoldenEvent.self).schema,
    ]
    return try SchemaText.text(.either(events), title: "progress event")
  }
}
