/// Words of a POSIX shell.
package enum ShellText {
  /// `text` as one word, whatever is in it.
  package static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "_-./:,+@".utf8.contains(byte)
    }
    guard !plain || text.isEmpty else { return text }
    // Scalars are compared, because a quotation mark with a combining accent is another character.
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
    }
    return result + "'"
  }

  /// `words` as a command.
  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
