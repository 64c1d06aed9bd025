// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import YAML

/// The tree of a settings file in YAML or JSON that can't be trusted: texts, lists and mappings with
/// the lines they stand on.
package indirect enum SettingsTree: Sendable, Equatable {
  /// A name in a mapping and what it stands for.
  package struct Entry: Sendable, Equatable {
    /// The name.
    package let key: String
    /// Line of the name, from 1; `nil` where it isn't known.
    package let line: Int?
    package let value: SettingsTree
  }

  /// A word, number or text as it is written, and its line.
  case text(String, line: Int?)
  case list([SettingsTree], line: Int?)
  /// A mapping in its order and its line; no name occurs twice.
  case mapping([Entry], line: Int?)
  /// Nothing: `null`, `~` or an empty value.
  case nothing(line: Int?)

  /// The line it begins on.
  package var line: Int? {
    switch self {
    case .text(_, let line), .list(_, let line), .mapping(_, let line), .nothing(let line):
      return line
    }
  }

  /// Reads the file at `path`, at most `largest` bytes; `what` names its content in messages.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  package init(path: String, largest: Int, what: String) throws {
    try self.init(
      text: try SettingsFile.text(path, largest: largest, what: what), path: path)
  }

  /// Reads `text`, the content of the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  package init(text: String, path: String) throws {
    do {
      let node = try YAMLText(path: path).compose(text)
      self = try node.map { try SettingsTree($0, path) } ?? .nothing(line: nil)
    } catch let error as MediaError {
      // JSON has escapes that the YAML reader doesn't know.
      guard path.lowercased().hasSuffix(".json"), let tree = SettingsTree(json: text) else {
        throw error
      }
      self = tree
    }
  }

  /// The error of the file at `path`: what is wrong on `line`.
  package static func error(_ path: String, _ line: Int?, _ problem: String) -> MediaError {
    YAMLText(path: path).error(line, problem)
  }

  /// Text of a file in an error: short and without control characters.
  package static func quoted(_ text: String) -> String { YAMLText.quoted(text) }

  private init(_ node: YAMLNode, _ path: String) throws {
    switch node {
    case .scalar(let scalar):
      self = scalar.isNothing ? .nothing(line: scalar.line) : .text(scalar.text, line: scalar.line)
    case .sequence(let nodes, let line):
      self = .list(try nodes.map { try SettingsTree($0, path) }, line: line)
    case .mapping(let pairs, let line):
      let entries = try pairs.map { pair in
        guard case .scalar(let name) = pair.key else {
          throw SettingsTree.error(path, pair.key.line, "has a key that isn't a word")
        }
        return Entry(key: name.text, line: name.line, value: try SettingsTree(pair.value, path))
      }
      self = .mapping(entries, line: line)
    }
  }

  private init?(json: String) {
    guard let value = try? JSONDecoder().decode(JSONTree.self, from: Data(json.utf8)) else {
      return nil
    }
    self = value.tree
  }
}

/// JSON of any shape.
private struct JSONTree: Decodable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let tree: SettingsTree

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Name.self) {
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      tree = .mapping(
        try keys.map {
          SettingsTree.Entry(
            key: $0.stringValue, line: nil,
            value: try container.decode(JSONTree.self, forKey: $0).tree)
        }, line: nil)
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [SettingsTree] = []
      while !list.isAtEnd { values.append(try list.decode(JSONTree.self).tree) }
      tree = .list(values, line: nil)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      tree = .nothing(line: nil)
    } else if let flag = try? single.decode(Bool.self) {
      tree = .text(flag ? "true" : "false", line: nil)
    } else if let whole = try? single.decode(Int64.self) {
      tree = .text(String(whole), line: nil)
    } else if let number = try? single.decode(Double.self) {
      tree = .text(String(number), line: nil)
    } else {
      tree = .text(try single.decode(String.self), line: nil)
    }
  }
}
