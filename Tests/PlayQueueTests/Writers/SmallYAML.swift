// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import PlayQueue

/// Reads the part of YAML that queue files are written in: blocks by indentation, plain words, texts in double
/// quotes, which are those of JSON, and mappings in braces on one line.
struct SmallYAML {
  private struct Line {
    var indent: Int
    var text: Substring
  }

  private struct Failure: Error {}

  private var lines: [Line]

  static func tree(of text: String) throws -> QueueNode {
    var reader = SmallYAML(
      lines: text.split(separator: "\n").map { line in
        let text = line.drop { $0 == " " }
        return Line(indent: line.count - text.count, text: text)
      })
    let node = try reader.block(0)
    guard reader.lines.isEmpty else { throw Failure() }
    return node
  }

  private mutating func block(_ indent: Int) throws -> QueueNode {
    guard let first = lines.first, first.indent == indent else { throw Failure() }
    if !first.text.hasPrefix("- ") { return try map(indent) }
    var nodes: [QueueNode] = []
    while let line = lines.first, line.indent == indent, line.text.hasPrefix("- ") {
      let text = line.text.dropFirst(2)
      guard text.utf8.first != UInt8(ascii: "\"") else {
        lines.removeFirst()
        nodes.append(try scalar(text))
        continue
      }
      lines[0] = Line(indent: indent + 2, text: text)
      nodes.append(try map(indent + 2))
    }
    return .list(nodes)
  }

  private mutating func map(_ indent: Int) throws -> QueueNode {
    var entries: [QueueNode.Entry] = []
    while let line = lines.first, line.indent == indent, !line.text.hasPrefix("- ") {
      guard let colon = line.text.firstIndex(of: ":") else { throw Failure() }
      let value = line.text[colon...].dropFirst().drop { $0 == " " }
      lines.removeFirst()
      let node = value.isEmpty ? try block(lines.first?.indent ?? 0) : try scalar(value)
      entries.append(.init(String(line.text[..<colon]), node))
    }
    return .map(entries)
  }

  private func scalar(_ text: Substring) throws -> QueueNode {
    if text.utf8.first == UInt8(ascii: "\"") {
      let value = try JSONSerialization.jsonObject(
        with: Data(text.utf8), options: .fragmentsAllowed)
      guard let string = value as? String else { throw Failure() }
      return .scalar(string)
    }
    guard text.first == "{", text.last == "}" else { return .scalar(String(text)) }
    let entries = try text.dropFirst().dropLast().split(separator: ",").map { entry in
      let sides = entry.split(separator: ":").map { $0.drop { $0 == " " } }
      guard sides.count == 2 else { throw Failure() }
      return QueueNode.Entry(String(sides[0]), .scalar(String(sides[1])))
    }
    return .map(entries)
  }
}
