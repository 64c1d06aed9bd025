// SPDX-License-Identifier: Apache-2.0

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

/// The keys and values that a type asked for at one place of its JSON.
final class SchemaNode {
  /// Form of a single value.
  var single: Schema?
  /// Whether there may be `null` instead.
  var isNullable = false
  /// Element of a list.
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

/// Gives a type a stand-in for every value that it decodes, and records the keys and types asked
/// for.
struct RecordingDecoder: Decoder {
  let node: SchemaNode
  /// The only key that `allKeys` lists, for enums with associated values.
  let choice: String?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: SchemaNode, choice: String? = nil) {
    self.node = node
    self.choice = choice
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    node.properties = node.properties ?? []
    return KeyedDecodingContainer(RecordingObject(node: node, choice: choice))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { RecordingList(node: node) }

  func singleValueContainer() -> any SingleValueDecodingContainer { RecordingValue(node: node) }
}

/// An object that seems to have every key that is asked for.
private struct RecordingObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: SchemaNode
  let choice: String?
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { choice.flatMap { Key(stringValue: $0) }.map { [$0] } ?? [] }

  /// Of all decoding methods only `decodeIfPresent` calls this, so such a key is optional.
  func contains(_ key: Key) -> Bool {
    node.optional.insert(key.stringValue)
    return true
  }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let found = try SchemaRecorder.record(type)
    node.property(key.stringValue).single = found.schema
    return found.standIn
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try plain(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try plain(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try plain(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try plain(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try plain(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try plain(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try plain(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try plain(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try plain(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try plain(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try plain(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try plain(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try plain(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try plain(key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    RecordingDecoder(node.property(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    RecordingList(node: node.property(key.stringValue))
  }

  func superDecoder() -> any Decoder { RecordingDecoder(node) }

  func superDecoder(forKey key: Key) -> any Decoder {
    RecordingDecoder(node.property(key.stringValue))
  }

  private func plain<Value: Decodable>(_ key: Key) throws -> Value {
    try decode(Value.self, forKey: key)
  }
}

/// A list that seems to have one element.
private struct RecordingList: UnkeyedDecodingContainer {
  let node: SchemaNode
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  private(set) var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(node: SchemaNode) {
    self.node = node
    node.element = node.element ?? SchemaNode()
  }

  private mutating func next() -> SchemaNode {
    currentIndex += 1
    return node.element ?? SchemaNode()
  }

  func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let found = try SchemaRecorder.record(type)
    next().single = found.schema
    return found.standIn
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try plain() }
  mutating func decode(_ type: String.Type) throws -> String { try plain() }
  mutating func decode(_ type: Double.Type) throws -> Double { try plain() }
  mutating func decode(_ type: Float.Type) throws -> Float { try plain() }
  mutating func decode(_ type: Int.Type) throws -> Int { try plain() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try plain() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try plain() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try plain() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try plain() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try plain() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try plain() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try plain() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try plain() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try plain() }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> {
    RecordingDecoder(next()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    RecordingList(node: next())
  }

  mutating func superDecoder() -> any Decoder { RecordingDecoder(next()) }

  private mutating func plain<Value: Decodable>() throws -> Value { try decode(Value.self) }
}

/// A place with a single value.
private struct RecordingValue: SingleValueDecodingContainer {
  let node: SchemaNode
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool {
    node.isNullable = true
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let found = try SchemaRecorder.record(type)
    node.single = found.schema
    return found.standIn
  }

  func decode(_ type: Bool.Type) -> Bool { plain(.flag, false) }
  func decode(_ type: String.Type) -> String { plain(.text(), "") }
  func decode(_ type: Double.Type) -> Double { plain(.number, 0) }
  func decode(_ type: Float.Type) -> Float { plain(.number, 0) }
  func decode(_ type: Int.Type) -> Int { plain(.integer, 0) }
  func decode(_ type: Int8.Type) -> Int8 { plain(.integer, 0) }
  func decode(_ type: Int16.Type) -> Int16 { plain(.integer, 0) }
  func decode(_ type: Int32.Type) -> Int32 { plain(.integer, 0) }
  func decode(_ type: Int64.Type) -> Int64 { plain(.integer, 0) }
  func decode(_ type: UInt.Type) -> UInt { plain(.integer, 0) }
  func decode(_ type: UInt8.Type) -> UInt8 { plain(.integer, 0) }
  func decode(_ type: UInt16.Type) -> UInt16 { plain(.integer, 0) }
  func decode(_ type: UInt32.Type) -> UInt32 { plain(.integer, 0) }
  func decode(_ type: UInt64.Type) -> UInt64 { plain(.integer, 0) }

  private func plain<Value>(_ schema: Schema, _ standIn: Value) -> Value {
    node.single = schema
    return standIn
  }
}
