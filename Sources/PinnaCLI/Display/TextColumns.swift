import Platform

/// Columns that text takes on a terminal: characters of East Asian scripts and most emoji take two, accents that
/// combine with a letter take none.
enum TextColumns {
  // Two threads may use a locale at once, and nothing changes or frees this one (POSIX.1-2017, newlocale).
  nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

  /// Columns of `text`.
  static func count(_ text: String) -> Int {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
    return measured { text.unicodeScalars.reduce(0) { $0 + width($1) } }
  }

  /// The beginning of `text` that fits into `columns`.
  static func prefix(_ text: String, _ columns: Int) -> String {
    measured {
      var left = columns
      return String(
        text.prefix { character in
          left -= character.unicodeScalars.reduce(0) { $0 + width($1) }
          return left >= 0
        })
    }
  }

  /// `text` in lines of at most `columns`, broken between words. A word that is longer keeps a line of its own, so that
  /// paths can be copied.
  static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    var (line, taken) = ("", 0)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
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

  /// The result of `body`, in which the C library knows UTF-8.
  private static func measured<Value>(_ body: () -> Value) -> Value {
    let former = locale.map { uselocale($0) }
    defer { if let former { uselocale(former) } }
    return body()
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    // A character that the C library doesn't know takes one column in most terminals.
    let width = wcwidth(wchar_t(bitPattern: scalar.value))
    return width < 0 ? 1 : Int(width)
  }
}
