import AudioCore

/// YAML text of a file that can't be trusted, and the errors that name its lines.
struct YAMLText {
  let path: String

  /// The tree of `yaml`; `nil` for an empty document.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  func compose(_ yaml: String) throws -> YAMLNode? {
    do {
      return try YAMLParser.document(yaml)
    } catch let fault as YAMLParser.Fault {
      throw error(fault.line, fault.problem)
    }
  }

  /// The error of this file: what is wrong on `line`.
  func error(_ line: Int?, _ text: String) -> MediaError {
    MediaError(.usage, path + (line.map { ", line \($0)" } ?? "") + ": " + text)
  }

  /// Text of the file in an error: short and without control characters.
  static func quoted(_ text: String) -> String {
    let short = text.count > 60 ? String(text.prefix(60)) + "…" : text
    let scalars = short.unicodeScalars.map {
      $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
    }
    return "“" + String(String.UnicodeScalarView(scalars)) + "”"
  }
}
