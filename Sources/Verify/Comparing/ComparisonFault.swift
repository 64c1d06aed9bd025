/// What happened, in words.
public struct ComparisonFault: Sendable, Equatable {
  /// How much a sentence explains.
  public enum Rank: Int, Sendable, Comparable {
    /// That something differs.
    case difference
    /// What is measurably different.
    case effect
    /// What was done to the file.
    case cause

    /// The more it explains, the higher.
    public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// How much the sentence explains.
  public var rank: Rank
  /// A clause about TEST without a full stop.
  public var sentence: String

  /// A fault.
  public init(_ rank: Rank, _ sentence: String) {
    self.rank = rank
    self.sentence = sentence
  }
}
