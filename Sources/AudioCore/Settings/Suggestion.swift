// SPDX-License-Identifier: Apache-2.0

/// Finds the word that was probably meant.
package enum Suggestion {
  /// ` (did you mean X?)` when one of `words` is near `word`, else nothing.
  package static func text(for word: String, among words: [String]) -> String {
    nearest(to: word, among: words).map { " (did you mean \($0)?)" } ?? ""
  }

  /// The one of `words` that is nearest to `word`, and in which at most two letters and a third of them differ; `nil` for none.
  package static func nearest(to word: String, among words: [String]) -> String? {
    let near = words.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    let letters = word.filter { $0 != "-" }.count
    guard let near, near.1 <= min(2, max(1, letters / 3)), near.1 < letters else { return nil }
    return near.0
  }

  /// Letters to change, add, leave out or swap with their neighbour.
  static func distance(_ first: String, _ second: String) -> Int {
    let (one, two) = (Array(first.prefix(40)), Array(second.prefix(40)))
    var rows = [Array(0...two.count)]
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, other) in two.enumerated() {
        var least = min(
          next[column] + 1, rows[row][column + 1] + 1, rows[row][column] + (letter == other ? 0 : 1)
        )
        if row > 0, column > 0, letter == two[column - 1], one[row - 1] == other {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[one.count][two.count]
  }
}
