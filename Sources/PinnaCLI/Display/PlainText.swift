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

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    default: return !scalar.properties.isBidiControl
    }
  }
}
