/// Makes text from outside safe to print: names of files, and metadata in them.
enum PlainText {
  /// `text` on one line that contains no commands to the terminal and doesn't reverse the text
  /// beside it: control characters, line breaks and marks of direction become U+FFFD.
  static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      isHarmless(scalar) ? scalar : "\u{FFFD}"
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    default: return !scalar.properties.isBidiControl
    }
  }
}
