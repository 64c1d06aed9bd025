/// Finds the structure of a type's JSON: decodes the type from stand-ins and records what it asks
/// for.
package enum SchemaRecorder {
  /// The description of `type`, and a value of it.
  /// - Throws: ``SchemaError`` when it can't be decoded from stand-ins.
  package static func record<Value: Decodable>(
    _ type: Value.Type
  ) throws -> (schema: Schema, standIn: Value) {
    if let described = type as? any SchemaDescribed.Type {
      return (try described.describeSchema(), try value(described.schemaStandIn))
    }
    if let words = type as? any (RawRepresentable & CaseIterable).Type,
      let (schema, first) = list(words)
    {
      return (schema, try value(first))
    }
    if let choice = type as? any SchemaChoice.Type { return try alternatives(choice) }
    let node = SchemaNode()
    let standIn: Value
    do { standIn = try Value(from: RecordingDecoder(node)) } catch let error as SchemaError {
      throw error
    } catch {
      throw SchemaError(description: "\(name(of: type)): can't be decoded from stand-ins: \(error)")
    }
    return (try refined(node.schema(name: name(of: type)), type), standIn)
  }

  /// The type's name without its module, with the types around it: `RenderReport.Output`.
  static func name(of type: any Any.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
  }

  private static func value<Value>(_ found: Any) throws -> Value {
    guard let value = found as? Value else {
      throw SchemaError(description: "\(Value.self): has no stand-in")
    }
    return value
  }

  /// An enum whose raw values are strings; `nil` when they are of another type.
  private static func list<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type
  ) -> (Schema, Any)? {
    let words = Word.allCases.compactMap { $0.rawValue as? String }
    guard let first = Word.allCases.first, words.count == Word.allCases.count else { return nil }
    return (.words(words), first)
  }

  /// An enum with associated values: each case is decoded by itself.
  private static func alternatives<Value: Decodable>(
    _ type: any SchemaChoice.Type
  ) throws -> (Schema, Value) {
    let node = SchemaNode()
    var standIn: Value?
    for key in type.schemaCases {
      do {
        standIn = try value(try type.init(from: RecordingDecoder(node, choice: key)))
      } catch is DecodingError {
        throw SchemaError(description: "\(name(of: type)): has no case \(key)")
      }
    }
    guard let standIn, case .object(var object) = node.schema(name: name(of: type)) else {
      throw SchemaError(description: "\(name(of: type)): has no cases")
    }
    object.isChoice = true
    for index in object.properties.indices { object.properties[index].isRequired = false }
    return (.object(object), standIn)
  }

  private static func refined(_ schema: Schema, _ type: any Decodable.Type) throws -> Schema {
    guard case .object(var object) = schema else { return schema }
    var changes = (type as? any SchemaRefined.Type)?.schemaRefinements ?? [:]
    var always = (type as? any SchemaRefined.Type)?.schemaAlwaysWritten ?? []
    if let document = type as? any ReportDocument.Type {
      changes["schema"] = .constant(document.schemaName)
    }
    for index in object.properties.indices {
      let key = object.properties[index].name
      if let change = changes.removeValue(forKey: key) { object.properties[index].schema = change }
      if always.remove(key) != nil { object.properties[index].isRequired = true }
      let isDigest = key == "sha256" || key.hasSuffix("SHA256")
      if isDigest, object.properties[index].schema == .text() {
        object.properties[index].schema = .digest
      }
    }
    // A misspelt or removed key would otherwise silently lose its refinement.
    guard changes.isEmpty, always.isEmpty else {
      let keys = (Array(changes.keys) + Array(always)).sorted().joined(separator: ", ")
      throw SchemaError(description: "\(name(of: type)): has no key \(keys)")
    }
    return .object(object)
  }
}

/// What a type asked for at one place of its JSON.
final class SchemaNode {
  /// What a single value is like.
  var single: Schema?
  /// Whether there may be `null` instead.
  var isNullable = false
  /// What a list holds.
  var element: SchemaNode?
  /// The keys of an object, in the order they were asked for.
  var properties: [(name: String, node: SchemaNode)]?
  /// Keys that were read with `decodeIfPresent`.
  var optional: Set<String> = []

  /// The place under `key`, the same one for the same key.
  func property(_ key: String) -> SchemaNode {
    if let known = properties?.first(where: { $0.name == key }) { return known.node }
    let node = SchemaNode()
    properties = (properties ?? []) + [(key, node)]
    return node
  }

  /// The description; an object has `name`.
  func schema(name: String?) -> Schema {
    let bare: Schema
    if let properties {
      bare = .object(
        SchemaObject(
          name: name,
          properties: properties.map {
            SchemaObject.Property(
              name: $0.name, schema: $0.node.schema(name: nil),
              isRequired: !optional.contains($0.name))
          }))
    } else if let element {
      bare = .list(element.schema(name: nil))
    } else {
      bare = single ?? .any
    }
    return isNullable ? .nullable(bare) : bare
  }
}
