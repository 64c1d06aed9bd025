// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// YAML text of a file that can't be trusted, and the errors that name its lines.
package struct YAMLText {
  /// The file.
  package let path: String

  /// Text of the file at `path`.
  package init(path: String) { self.path = path }

  /// The tree of `yaml`; `nil` for an empty document.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  package func compose(_ yaml: String) throws -> YAMLNode? {
    do {
      return try YAMLParser.document(yaml.utf8)
    } catch let fault as YAMLFault {
      throw error(fault.line, fault.problem)
    }
  }

  /// The error of this file: what is wrong on `line`.
  package func error(_ line: Int?, _ text: String) -> MediaError {
    MediaError(.usage, path + (line.map { ", line \($0)" } ?? "") + ": " + text)
  }

  /// Text of the file in an error: short and without control characters.
  package static func quoted(_ text: String) -> String {
    let short = text.count > 60 ? String(text.prefix(60)) + "…" : text
    let scalars = short.unicodeScalars.map {
      $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
    }
    return "“" + String(String.UnicodeScalarView(scalars)) + "”"
  }
}
