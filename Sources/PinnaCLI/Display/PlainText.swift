import AudioCore

/// Makes text from outside safe to print: names of files, and metadata in them.
enum PlainText {
  /// `text` with its line feeds, and with everything else replaced that ``line(_:)`` replaces. ``Terminal`` does this to all
  /// that it shows, so that no command has to think of it; text of one line is made so where it is put together.
  static func shown(_ text: String) -> String {
    let isASCII = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\n") }
    guard !isASCII else { return text }
    let scalars = text.unicodeScalars.map { $0.isPlain || $0 == "\n" ? $0 : "\u{FFFD}" }
    return String(String.UnicodeScalarView(scalars))
  }

  /// `text` on one line that contains no commands to the terminal and doesn't reverse the text
  /// beside it: control characters, line breaks and marks of direction become U+FFFD.
  static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.isPlain ? $0 : "\u{FFFD}" }
    return String(String.UnicodeScalarView(scalars))
  }

  /// `lines`, each made safe and ended by a line feed.
  static func lines(_ lines: [String]) -> String { lines.map { line($0) + "\n" }.joined() }

  /// `rows` as lines with columns of equal widths, aligned at their left but for those that `right` numbers; the last
  /// column ends where its text ends. All rows have as many cells as the first.
  static func table(_ rows: [[String]], right: Range<Int> = 0..<0) -> String {
    // Cells are made safe first, because that changes how wide some are.
    let rows = rows.map { $0.map(line) }
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0
    }
    return lines(
      rows.map { row in
        var text = row.enumerated().map { column, cell in
          Figures.padded(cell, widths[column], left: right.contains(column))
        }.joined(separator: "  ")
        while text.hasSuffix(" ") { text.removeLast() }
        return text
      })
  }
}
