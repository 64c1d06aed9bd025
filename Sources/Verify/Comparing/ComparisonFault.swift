/// A sentence about a difference, and how much it explains.
package struct ComparisonFault: Sendable, Equatable {
  /// How much a sentence explains.
  package enum Rank: Int, Sendable, Comparable {
    /// It only states that something differs.
    case difference
    /// It states what is measurably different.
    case effect
    /// It states what was done to the file.
    case cause

    /// The more it explains, the higher.
    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// How much the sentence explains.
  package var rank: Rank
  /// A clause about TEST without a full stop.
  package var sentence: String

  /// A fault.
  package init(_ rank: Rank, _ sentence: String) {
    self.rank = rank
    self.sentence = sentence
  }
}
