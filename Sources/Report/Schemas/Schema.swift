// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The form of a type's JSON.
package indirect enum Schema: Sendable, Equatable {
  /// Any value.
  case any
  /// `true` or `false`.
  case flag
  /// A whole number.
  case integer
  /// Any number.
  case number
  /// A text; with a pattern, one that this regular expression matches.
  case text(pattern: String? = nil)
  /// One of these texts.
  case words([String])
  /// This text and no other.
  case constant(String)
  /// A value as described, or `null`.
  case nullable(Schema)
  /// A list with at least this many elements.
  case list(Schema, atLeast: Int = 0)
  /// An object with any keys, whose values are as described.
  case map(Schema)
  /// An object with known keys.
  case object(SchemaObject)
  /// A value that one of these describes.
  case either([Schema])

  /// A SHA-256 as text.
  package static let digest = Schema.text(pattern: "^[0-9a-f]{64}$")
}

/// The known keys of an object.
package struct SchemaObject: Sendable, Equatable {
  /// One key.
  package struct Property: Sendable, Equatable {
    /// The key.
    package var name: String
    /// Form of its value.
    package var schema: Schema
    /// Whether it is always there.
    package var isRequired: Bool

    /// A key.
    package init(name: String, schema: Schema, isRequired: Bool) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// Name of the type without its module; `nil` for an object that has no type of its own.
  package var name: String?
  /// The keys in the order in which the type reads them.
  package var properties: [Property]
  /// Whether exactly one of the keys is there: a Swift enum with associated values.
  package var isChoice = false

  /// An object.
  package init(name: String?, properties: [Property]) {
    self.name = name
    self.properties = properties
  }
}

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
  /// The type, and why it has no schema.
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
