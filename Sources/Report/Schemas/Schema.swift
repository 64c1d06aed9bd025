/// What JSON of a type looks like.
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
  /// What is described, or `null`.
  case nullable(Schema)
  /// A list with at least this many elements.
  case list(Schema, atLeast: Int = 0)
  /// An object with any keys, whose values are as described.
  case map(Schema)
  /// An object with known keys.
  case object(SchemaObject)
  /// What one of these describes.
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
    /// What its value is like.
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
