/// Text from outside as people may see it: names of files and what files say of themselves.
enum PlainText {
  /// `text` on one line that neither speaks to the terminal nor turns around what stands beside it:
  /// control characters, line breaks and marks of direction become U+FFFD.
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
