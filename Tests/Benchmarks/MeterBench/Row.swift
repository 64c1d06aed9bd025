// SPDX-License-Identifier: Apache-2.0

/// One comparison: best CPU times in milliseconds.
struct Row {
  let name: String
  /// Least ratio wanted, if any.
  let goal: Double?
  var ours = Double.infinity
  var peer = Double.infinity
  /// Whether both meters gave the same results, in every round.
  var agrees = true

  /// How many times less CPU time we take.
  var ratio: Double { peer / ours }

  private var verdict: String {
    if !agrees { return "results differ" }
    guard let goal else { return "" }
    return ratio >= goal ? "met" : "missed"
  }

  /// The rows as aligned text.
  static func table(_ rows: [Row]) -> String {
    let head = ["case (60 s at 48 kHz)", "ours ms", "libebur128 ms", "ratio", "goal", "verdict"]
    let lines =
      [head]
      + rows.map { row in
        [
          row.name, decimals(row.ours), decimals(row.peer), decimals(row.ratio),
          row.goal.map { ">= \(Int($0))" } ?? "", row.verdict,
        ]
      }
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      line.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - line[column].count)
        return column == 0 || column == 5 ? line[column] + space : space + line[column]
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private static func decimals(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
