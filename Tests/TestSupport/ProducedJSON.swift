// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import Synchronization

/// Checks all JSON that Pinna writes in a test by its schema, as `pinna schema` prints it.
package enum ProducedJSON {
  private static let schemas = Mutex<[String: JSONSchema]>([:])
  /// Number of values that were checked.
  private static let counter = Mutex(0)

  /// Number of values that were checked so far.
  package static var count: Int { counter.withLock { $0 } }

  /// The schema that `pinna schema NAME` prints.
  /// - Throws: ``ToolFailure`` when there is none of this name.
  package static func schema(_ name: String) throws -> JSONSchema {
    if let known = schemas.withLock({ $0[name] }) { return known }
    let result = try Tool.run(Product.path, ["schema", name])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    let schema = try JSONSchema(result.output)
    schemas.withLock { $0[name] = schema }
    return schema
  }

  /// Checks `value` by the schema called `name`.
  /// - Throws: ``ToolFailure`` that lists up to ten violations.
  package static func check(_ value: JSONValue, as name: String) throws {
    counter.withLock { $0 += 1 }
    let faults = try schema(name).faults(value)
    guard faults.isEmpty else {
      throw ToolFailure(
        text: "JSON isn't as pinna schema \(name) says: "
          + faults.prefix(10).joined(separator: "; "))
    }
  }

  /// Encodes a value and checks it by the schema called `name`.
  /// - Throws: ``ToolFailure`` that lists up to ten violations.
  package static func check(encoding value: some Encodable, as name: String) throws {
    try check(JSONValue(encoding: value), as: name)
  }

  /// Checks everything that a run of Pinna wrote by its schema: standard output, lines of progress, the
  /// file of `--report` and the results of a batch's items. `before` is what that file held before the run.
  /// - Throws: ``ToolFailure`` when something has no schema or violates it.
  static func check(_ result: Tool.Result, _ arguments: [String], before: Data?) throws {
    guard arguments.first != "schema", !arguments.contains("--experimental-dump-help") else {
      return
    }
    for value in try values(result.output) { try check(document: value) }
    if arguments.contains("ndjson") {
      for line in result.errors.split(separator: "\n") where line.hasPrefix("{") {
        try check(parsed(Data(line.utf8)), as: "progress")
      }
    }
    if let data = report(arguments), data != before {
      for value in try values(data) { try check(document: value) }
    }
    for path in items(arguments) {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      try check(parsed(data), as: "item")
    }
  }

  /// Content of the file that `--report` names; `nil` without one.
  static func report(_ arguments: [String]) -> Data? {
    guard let index = arguments.firstIndex(of: "--report"), arguments.indices.contains(index + 1)
    else { return nil }
    return FileManager.default.contents(atPath: arguments[index + 1])
  }

  private static func items(_ arguments: [String]) -> [String] {
    guard arguments.first == "batch", let index = arguments.firstIndex(of: "-O"),
      arguments.indices.contains(index + 1)
    else { return [] }
    let folder = arguments[index + 1] + "/.pinna/items"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
  }

  private static func check(document value: JSONValue) throws {
    if case .list(let elements) = value {
      for element in elements { try check(document: element) }
      return
    }
    guard case .object(let members) = value else {
      throw ToolFailure(text: "JSON of pinna is neither an object nor a list")
    }
    guard case .text(let schema)? = members["schema"], schema.hasPrefix("pinna.") else {
      // `pinna golden list` prints the cases of goldens as they are: the user's own files, without a schema.
      if members["oracle"] != nil { return try check(.list([value]), as: "golden-list") }
      throw ToolFailure(text: "JSON of pinna names no schema: \(members.keys.sorted())")
    }
    try check(value, as: String(schema.dropFirst(6).prefix { $0 != "/" }))
    if let plan = members["plan"] { try check(plan, as: "plan") }
  }

  /// The JSON values in `data`: one in all, or one in each line; none when it doesn't begin as JSON does.
  private static func values(_ data: Data) throws -> [JSONValue] {
    guard let first = data.first(where: { !$0.isBlank }), first == 0x7B || first == 0x5B else {
      return []
    }
    if let whole = try? parsed(data) { return [whole] }
    return try data.split(separator: 0x0A).map { try parsed(Data($0)) }
  }

  private static func parsed(_ data: Data) throws -> JSONValue {
    try JSONValue(json: Array(data))
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
