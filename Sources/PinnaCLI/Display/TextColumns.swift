// SPDX-License-Identifier: Apache-2.0
import Platform

/// Columns that text takes on a terminal: characters of East Asian scripts and most emoji take two, accents that
/// combine with a letter take none.
enum TextColumns {
  /// Columns of `text`.
  static func count(_ text: String) -> Int {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + TerminalColumns.width(of: $1) }
  }

  /// The beginning of `text` that fits into `columns`.
  static func prefix(_ text: String, _ columns: Int) -> String {
    var left = columns
    return String(
      text.prefix { character in
        left -= count(String(character))
        return left >= 0
      })
  }

  /// Units, which stay beside their number.
  private static let units: Set = [
    "%", "dB", "LUFS", "LU", "dBTP", "dBFS", "Hz", "kbit/s", "s", "MiB",
  ]

  /// `text` in lines of at most `columns`, broken between words, and not before a unit. A word that is longer keeps a line of its own,
  /// so that paths can be copied.
  static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    var (line, taken) = ("", 0)
    for word in words(of: text) {
      let needed = count(String(word))
      if taken > 0, taken + 1 + needed > columns {
        lines.append(line)
        (line, taken) = (String(word), needed)
      } else {
        line += (taken > 0 ? " " : "") + word
        taken += (taken > 0 ? 1 : 0) + needed
      }
    }
    return lines + [line]
  }

  /// `line` in lines of at most `columns`, as ``wrapped(_:_:)`` breaks it, of which all but the first are `indent` columns in; its
  /// own space in front stays.
  static func hanging(_ line: String, _ columns: Int, indent: Int) -> [String] {
    guard count(line) > columns, columns >= indent + 20 else { return [line] }
    let lead = String(line.prefix { $0 == " " })
    let text = String(line.dropFirst(lead.count))
    guard let first = wrapped(text, columns - lead.count).first, first.count < text.count else {
      return [line]
    }
    let rest = String(text.dropFirst(first.count + 1))
    let space = String(repeating: " ", count: indent)
    return [lead + first] + wrapped(rest, columns - indent).map { space + $0 }
  }

  /// The words of a text, numbers together with their unit.
  private static func words(of text: String) -> [Substring] {
    text.split(separator: " ", omittingEmptySubsequences: false).reduce(into: []) { words, word in
      let bare = word.drop { "(".contains($0) }.prefix { !",;:.)".contains($0) }
      if let last = words.last, last.last?.isNumber == true, units.contains(String(bare)) {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(word)
      }
    }
  }
}
