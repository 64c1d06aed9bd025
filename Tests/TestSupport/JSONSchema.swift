// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report

/// Checks JSON against the part of JSON Schema (draft 2020-12) that `pinna schema` writes.
///
/// A keyword that it doesn't know is a fault, so that no rule goes unchecked.
package struct JSONSchema: Sendable {
  private let root: JSONValue

  private static let known: Set<String> = [
    "$schema", "$defs", "$ref", "title", "type", "properties", "required", "additionalProperties",
    "items", "minItems", "enum", "const", "pattern", "anyOf", "minProperties", "maxProperties",
  ]

  /// Reads a schema.
  /// - Throws: `DecodingError` when `text` is no JSON.
  package init(_ text: Data) throws {
    root = try JSONValue(json: Array(text))
  }

  /// All violations of the schema in `value`, each with its place; empty when there are none.
  package func faults(_ value: JSONValue) -> [String] { faults(value, root, at: "$") }

  private func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    guard case .object(let rules) = schema else { return ["\(place): the schema is no object"] }
    var found: [String] = []
    for key in rules.keys.sorted() where !JSONSchema.known.contains(key) {
      found.append("\(place): the schema has the unknown keyword \(key)")
    }
    if case .text(let reference)? = rules["$ref"] {
      found += faults(value, definition(reference), at: place)
    }
    if case .text(let type)? = rules["type"], !JSONSchema.isOf(value, type) {
      return found + ["\(place): is no \(type)"]
    }
    if case .list(let words)? = rules["enum"], !words.contains(value) {
      found.append("\(place): \(JSONSchema.short(value)) isn't in the list")
    }
    if let constant = rules["const"], constant != value {
      found.append("\(place): isn't \(JSONSchema.short(constant))")
    }
    if case .text(let pattern)? = rules["pattern"], case .text(let text) = value,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(place): \(text) doesn't match \(pattern)")
    }
    if case .list(let choices)? = rules["anyOf"],
      !choices.contains(where: { faults(value, $0, at: place).isEmpty })
    {
      found.append("\(place): is none of \(choices.count) alternatives")
    }
    return found + members(value, rules, place) + elements(value, rules, place)
  }

  private func members(
    _ value: JSONValue, _ rules: [String: JSONValue], _ place: String
  ) -> [String] {
    guard case .object(let members) = value else { return [] }
    var properties: [String: JSONValue] = [:]
    if case .object(let described)? = rules["properties"] { properties = described }
    var found: [String] = []
    if case .list(let required)? = rules["required"] {
      for case .text(let key) in required where members[key] == nil {
        found.append("\(place): lacks \(key)")
      }
    }
    if case .integer(let least)? = rules["minProperties"], members.count < least {
      found.append("\(place): has \(members.count) keys")
    }
    if case .integer(let most)? = rules["maxProperties"], members.count > most {
      found.append("\(place): has \(members.count) keys")
    }
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      if let schema = properties[key] {
        found += faults(member, schema, at: "\(place).\(key)")
      } else if rules["additionalProperties"] == .flag(false) {
        found.append("\(place): has the unknown key \(key)")
      } else if case .object? = rules["additionalProperties"] {
        found += faults(member, rules["additionalProperties"] ?? .null, at: "\(place).\(key)")
      }
    }
    return found
  }

  private func elements(
    _ value: JSONValue, _ rules: [String: JSONValue], _ place: String
  ) -> [String] {
    guard case .list(let elements) = value else { return [] }
    var found: [String] = []
    if case .integer(let least)? = rules["minItems"], elements.count < least {
      found.append("\(place): has \(elements.count) elements")
    }
    guard let schema = rules["items"] else { return found }
    for (index, element) in elements.enumerated() {
      found += faults(element, schema, at: "\(place)[\(index)]")
    }
    return found
  }

  private func definition(_ reference: String) -> JSONValue {
    let prefix = "#/$defs/"
    guard reference.hasPrefix(prefix), case .object(let members) = root,
      case .object(let definitions)? = members["$defs"]
    else { return .null }
    return definitions[String(reference.dropFirst(prefix.count))] ?? .null
  }

  private static func isOf(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.flag, "boolean"), (.integer, "integer"), (.integer, "number"),
      (.number, "number"), (.text, "string"), (.list, "array"), (.object, "object"):
      return true
    case (.number(let number), "integer"): return number.rounded() == number
    default: return false
    }
  }

  private static func short(_ value: JSONValue) -> String {
    if case .text(let text) = value { return text }
    return String("\(value)".prefix(80))
  }
}
