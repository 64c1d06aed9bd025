// SPDX-License-Identifier: Apache-2.0

/// JSON schemas (draft 2020-12) of what Pinna prints as JSON, made from the types that are printed.
package enum ReportSchema {
  /// Names that ``named(_:)`` knows.
  package static let names = [
    "report", "progress", "probe", "measure", "measure-album", "tag", "hrtf", "hrtf-list",
    "hrtf-comparison",
    "hrtf-fit", "validation", "comparison", "golden", "item", "batch", "queue-report", "queue-diff",
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
    case "measure-album": return try text(MeasureAlbumReport.self)
    case "tag": return try text(TagReport.self)
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

/// Writes descriptions as JSON schemas (draft 2020-12): types with a name stand once, in `$defs`.
package struct SchemaText {
  private var definitions: [String: (object: SchemaObject, json: JSONValue)] = [:]

  private init() {}

  /// The schema of `schema` under `title`, as JSON text.
  /// - Throws: ``SchemaError`` when two types have one name; `EncodingError`.
  package static func text(_ schema: Schema, title: String) throws -> String {
    var writer = SchemaText()
    var root: [String: JSONValue]
    if case .object(let object) = schema {
      root = try writer.object(object)
    } else {
      guard case .object(let members) = try writer.json(schema) else { return "" }
      root = members
    }
    root["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
    root["title"] = .text(title)
    if !writer.definitions.isEmpty {
      root["$defs"] = .object(writer.definitions.mapValues(\.json))
    }
    return try ReportJSON.pretty(JSONValue.object(root))
  }

  private mutating func json(_ schema: Schema) throws -> JSONValue {
    switch schema {
    case .any: return .object([:])
    case .flag: return SchemaText.type("boolean")
    case .integer: return SchemaText.type("integer")
    case .number: return SchemaText.type("number")
    case .text(nil): return SchemaText.type("string")
    case .text(let pattern?):
      return .object(["type": .text("string"), "pattern": .text(pattern)])
    case .words(let words): return .object(["enum": .list(words.map { .text($0) })])
    case .constant(let text): return .object(["const": .text(text)])
    case .nullable(let schema):
      return .object(["anyOf": .list([try json(schema), SchemaText.type("null")])])
    case .list(let schema, let least):
      var members = ["type": JSONValue.text("array"), "items": try json(schema)]
      if least > 0 { members["minItems"] = .integer(Int64(least)) }
      return .object(members)
    case .map(let schema):
      return .object(["type": .text("object"), "additionalProperties": try json(schema)])
    case .either(let schemas):
      var all: [JSONValue] = []
      for schema in schemas { all.append(try json(schema)) }
      return .object(["anyOf": .list(all)])
    case .object(let object): return try reference(object)
    }
  }

  private static func type(_ name: String) -> JSONValue { .object(["type": .text(name)]) }

  private mutating func reference(_ object: SchemaObject) throws -> JSONValue {
    guard let name = object.name else { return .object(try self.object(object)) }
    if let known = definitions[name] {
      guard known.object == object else {
        throw SchemaError(description: "\(name): is the name of two types")
      }
    } else {
      definitions[name] = (object, .object(try self.object(object)))
    }
    return .object(["$ref": .text("#/$defs/" + name)])
  }

  /// Refuses keys that the Swift type doesn't have.
  private mutating func object(_ object: SchemaObject) throws -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "type": .text("object"), "additionalProperties": .flag(false),
    ]
    var properties: [String: JSONValue] = [:]
    for property in object.properties { properties[property.name] = try json(property.schema) }
    members["properties"] = .object(properties)
    let required = object.properties.filter(\.isRequired).map { JSONValue.text($0.name) }
    if !required.isEmpty { members["required"] = .list(required) }
    if object.isChoice {
      members["minProperties"] = .integer(1)
      members["maxProperties"] = .integer(1)
    }
    return members
  }
}
