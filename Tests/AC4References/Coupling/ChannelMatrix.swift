// SPDX-License-Identifier: Apache-2.0

/// The matrices of two to five tracks as TS 103 190-1, 5.3.4.3 prints them: products of the elements
/// a, b, c, d of the numbered parameter sets.
enum ChannelMatrix {
  private static let three = [
    "a0a1 b0a1 b1|c0 d0 0|a0c1 b0c1 d1", "d0 c0 0|b0a1 a0a1 b1|b0c1 a0c1 d1",
    "a0a1 b1 b0a1|a0c1 d1 b0c1|c0 0 d0", "a1 c0b1 d0b1|0 a0 b0|c1 c0d1 d0d1",
    "a0 0 b0|c0b1 a1 d0b1|c0d1 c1 d0d1", "a1 d0b1 c0b1|c1 d0d1 c0d1|0 b0 a0",
    "d0d1 c0d1 c1|b0 a0 0|d0b1 c0b1 a1", "a0 b0 0|c0d1 d0d1 c1|c0b1 d0b1 a1",
    "d0d1 c1 c0d1|d0b1 a1 c0b1|b0 0 a0", "d1 b0c1 a0c1|0 d0 c0|b1 b0a1 a0a1",
    "d0 0 c0|b0c1 d1 a0c1|b0a1 b1 a0a1", "d1 a0c1 b0c1|b1 a0a1 b0a1|0 c0 d0",
  ]
  private static let four =
    "a0a2 b0a2 a1b2 b1b2|c0a3 d0a3 c1b3 d1b3|a0c2 b0c2 a1d2 b1d2|c0c3 d0c3 c1d3 d1d3"

  /// Rows are outputs, columns tracks.
  static func rows(_ count: Int, _ selection: Int?, _ sets: [[Double]]) -> [[Double]] {
    switch count {
    case 2: return [[sets[0][0], sets[0][1]], [sets[0][2], sets[0][3]]]
    case 3: return evaluate(three[selection ?? 0], sets)
    case 4: return evaluate(four, sets)
    default:
      let core = evaluate(three[selection ?? 0], sets)
      let (s2, s3, s4) = (sets[2], sets[3], sets[4])
      return [
        core[0].map { s3[0] * $0 } + [s3[1] * s2[0], s3[1] * s2[1]],
        core[1].map { s4[0] * $0 } + [s4[1] * s2[2], s4[1] * s2[3]],
        core[2] + [0, 0],
        core[0].map { s3[2] * $0 } + [s3[3] * s2[0], s3[3] * s2[1]],
        core[1].map { s4[2] * $0 } + [s4[3] * s2[2], s4[3] * s2[3]],
      ]
    }
  }

  private static func evaluate(_ text: String, _ sets: [[Double]]) -> [[Double]] {
    text.split(separator: "|").map { row in
      row.split(separator: " ").map { term in
        guard term != "0" else { return 0 }
        let letters = Array(term)
        return stride(from: 0, to: letters.count, by: 2).reduce(1.0) { product, place in
          let element = ["a", "b", "c", "d"].firstIndex(of: String(letters[place])) ?? 0
          return product * sets[letters[place + 1].wholeNumberValue ?? 0][element]
        }
      }
    }
  }
}
