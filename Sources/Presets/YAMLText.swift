import AudioCore
import Yams

/// YAML text of a file that can't be trusted, and the errors that name its lines.
struct YAMLText {
  /// Aliases of collections could make a huge tree of a small file; this few can't.
  private static let mostAliases = 8

  let path: String

  /// The tree of `yaml`; `nil` for an empty document.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  func compose(_ yaml: String) throws -> Node? {
    try checkAliases(yaml)
    do {
      return try Yams.compose(yaml: yaml)
    } catch let failure as YamlError {
      switch failure {
      case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
        .composer(_, let problem, let mark, _):
        throw error(mark.line, "isn't valid YAML: \(problem)")
      case .duplicatedKeysInMapping(let keys, let context):
        let names = keys.map { YAMLText.quoted($0) }.joined(separator: ", ")
        throw error(context.mark.line, "sets \(names) more than once; keep one")
      case .reader(let problem, _, _, _): throw error(nil, "isn't valid YAML: \(problem)")
      default: throw error(nil, "isn't valid YAML: \(failure)")
      }
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

  /// Characters behind which a node of YAML can begin, apart from blanks: indicators, line breaks and a byte order mark
  /// (YAML 1.1, 5.3 and 5.4, which libyaml follows).
  private static let openings: Set<Unicode.Scalar> = [
    "-", "?", ":", "[", "{", ",", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}",
  ]

  private func checkAliases(_ yaml: String) throws {
    var found = 0
    var hasAnchor = false
    var last: Unicode.Scalar = "\n"
    var sign: Unicode.Scalar?
    var isBlank = false
    for scalar in yaml.unicodeScalars {
      if scalar.value > 0x20 {
        if sign == "*" { found += 1 }
        if sign == "&" { hasAnchor = true }
      }
      // A star behind another character is part of a text, as in "*.wav". Whether one behind an opening is within quotes
      // isn't known here, so it counts.
      let isOpening = YAMLText.openings.contains(last)
      // A tag may stand before an anchor, so each "&" behind a blank may begin one.
      sign = scalar == "*" && isOpening || scalar == "&" && (isOpening || isBlank) ? scalar : nil
      isBlank = scalar == " " || scalar == "\t"
      if !isBlank { last = scalar }
    }
    // Without an anchor (&name) no alias stands for anything, and all stars are text or faults that libyaml names.
    guard !hasAnchor || found <= YAMLText.mostAliases else {
      throw error(nil, "has more than \(YAMLText.mostAliases) aliases (*name); write values out")
    }
  }
}
