// SPDX-License-Identifier: Apache-2.0

/// The order of names in which numbers count as numbers: 2 before 10.
package enum NaturalOrder {
  /// Whether `left` comes before `right`. Letters are compared without regard to case first; names that are equal
  /// so far are told apart by their bytes.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (pieces(left), pieces(right))
    for (own, other) in zip(first, second) where own != other {
      switch (own, other) {
      case (.number(let own), .number(let other)):
        // Without leading zeros the longer number is the larger.
        if own.count != other.count { return own.count < other.count }
        return own.lexicographicallyPrecedes(other)
      case (.text(let own), .text(let other)): return own < other
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    if first.count != second.count { return first.count < second.count }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private enum Piece: Equatable {
    /// Digits without leading zeros.
    case number([UInt8])
    /// Everything else, in lower case.
    case text(String)
  }

  private static func pieces(_ name: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.first {
      let isNumber = isDigit(byte)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest.dropFirst(run.count)
      pieces.append(
        isNumber
          ? .number(Array(run.drop { $0 == UInt8(ascii: "0") }))
          : .text(String(decoding: run, as: UTF8.self).lowercased()))
    }
    return pieces
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
