import AudioCore

/// A type that describes its own JSON, because decoding it from stand-ins doesn't show its
/// structure.
package protocol SchemaDescribed: Decodable {
  /// The description.
  /// - Throws: ``SchemaError`` when a type that it contains can't be described.
  static func describeSchema() throws -> Schema
  /// A value to use when a type that contains this one is decoded from stand-ins.
  static var schemaStandIn: Self { get }
}

/// A type whose JSON obeys rules that its Swift types don't express, such as a closed list of
/// words.
package protocol SchemaRefined {
  /// Descriptions that take the place of the recorded ones, by key.
  static var schemaRefinements: [String: Schema] { get }
  /// Keys that are always written although decoding also accepts JSON without them.
  static var schemaAlwaysWritten: Set<String> { get }
}

extension SchemaRefined {
  package static var schemaRefinements: [String: Schema] { [:] }
  package static var schemaAlwaysWritten: Set<String> { [] }
}

/// An enum with associated values, which Swift codes as an object whose only key is the case's name.
package protocol SchemaChoice: Codable {
  /// The names of all cases, because Swift can't list them; recording fails at a name that is no
  /// case.
  static var schemaCases: [String] { get }
}

/// JSON that Pinna writes as a whole, with its name and version in the key `schema`.
package protocol ReportDocument: Codable {
  /// Name and version, e.g. `pinna.report/2`.
  static var schemaName: String { get }
}

/// A type whose JSON can't be described.
package struct SchemaError: Error, CustomStringConvertible {
  /// Which type, and why.
  package let description: String
}

extension Dictionary: SchemaDescribed where Key == String, Value: Decodable {
  package static func describeSchema() throws -> Schema {
    .map(try SchemaRecorder.record(Value.self).schema)
  }

  package static var schemaStandIn: [Key: Value] { [:] }
}

extension JSONValue: SchemaDescribed {
  package static func describeSchema() -> Schema { .any }
  package static var schemaStandIn: JSONValue { .null }
}

extension ChannelLayout: SchemaDescribed {
  package static func describeSchema() -> Schema { .text() }
  package static var schemaStandIn: ChannelLayout { .stereo }
}

extension ChannelOrder: SchemaDescribed {
  package static func describeSchema() -> Schema { .text() }
  package static var schemaStandIn: ChannelOrder { ChannelOrder(.stereo) }
}

extension DiagnosticSubject: SchemaDescribed {
  package static func describeSchema() -> Schema {
    .text(pattern: "^(run|(input|output):[0-9]+)$")
  }

  package static var schemaStandIn: DiagnosticSubject { .run }
}

extension Diagnostic: SchemaRefined {
  package static var schemaAlwaysWritten: Set<String> { ["code", "class", "subject"] }
}

extension Decision: SchemaRefined {
  package static var schemaAlwaysWritten: Set<String> { ["code", "subject"] }
}
