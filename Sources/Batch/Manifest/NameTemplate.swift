// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A pattern for names of outputs: text with fields in braces.
package struct NameTemplate: Sendable, Equatable {
  /// The values of the fields.
  package struct Fields: Sendable {
    /// The job's id.
    package var id: String
    /// Name of the input without its extension.
    package var stem: String
    /// Folder of the input, relative to the manifest's or the folder that is walked; may be empty.
    package var folder: String
    /// Extension of the output's format.
    package var ending: String
    /// Endpoint of the output.
    package var endpoint: String
    /// Number of the output in its job, from 1.
    package var number: Int

    /// Fields.
    package init(
      id: String, stem: String, folder: String, ending: String, endpoint: String, number: Int
    ) {
      self.id = id
      self.stem = stem
      self.folder = folder
      self.ending = ending
      self.endpoint = endpoint
      self.number = number
    }
  }

  private enum Part: Equatable {
    case text(String)
    case field(String)
  }

  /// Whether inputs of other names have other outputs.
  package var followsInput: Bool { parts.contains(.field("stem")) || parts.contains(.field("id")) }

  /// The fields' names.
  package static let names = ["id", "stem", "dir", "ext", "endpoint", "n"]

  /// The pattern as it was given.
  package let text: String
  private var parts: [Part] = []

  /// The usual name of a job's only output.
  package static let usual = NameTemplate(unchecked: "{dir}/{stem}.{ext}")
  /// The usual name of one of several outputs.
  package static let usualOfSeveral = NameTemplate(unchecked: "{dir}/{stem}-{endpoint}.{ext}")

  /// Reads a pattern.
  /// - Throws: ``MediaError`` of kind `usage` for unknown fields and stray braces.
  package init(_ text: String) throws {
    self.init(unchecked: text)
    guard !text.isEmpty, !text.contains("\0") else {
      throw MediaError(.usage, "name template: is empty; \(NameTemplate.cure)")
    }
    for case .field(let name) in parts where !NameTemplate.names.contains(name) {
      throw MediaError(
        .usage, "name template \(text): unknown field {\(name)}; \(NameTemplate.cure)")
    }
    for case .text(let piece) in parts where piece.contains("{") || piece.contains("}") {
      throw MediaError(
        .usage, "name template \(text): has a brace without its partner; \(NameTemplate.cure)")
    }
  }

  private init(unchecked text: String) {
    self.text = text
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.field(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
  }

  /// Extension that the pattern itself gives, without its dot; `nil` when {ext} does.
  var ending: String? {
    guard case .text(let tail)? = parts.last, tail.contains(".") else { return nil }
    return LocalPath.ending(of: tail.hasPrefix(".") ? "x" + tail : tail)
  }

  /// The name with these fields.
  package func name(_ fields: Fields) -> String {
    var name = ""
    for part in parts {
      switch part {
      case .text(let text):
        // If the folder is empty, the slash after it is left out.
        let isBare =
          PathParts.isAbsolute(text) && name.isEmpty && parts.first == .field("dir")
        name += isBare ? String(text.unicodeScalars.dropFirst()) : text
      case .field("id"): name += fields.id
      case .field("stem"): name += fields.stem
      case .field("dir"): name += fields.folder
      case .field("ext"): name += fields.ending
      case .field("endpoint"): name += fields.endpoint
      case .field: name += String(fields.number)
      }
    }
    return name
  }

  private static let cure =
    "its fields are "
    + names.map { "{\($0)}" }.joined(separator: ", ")
}
