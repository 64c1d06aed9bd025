/// Items of a queue that follow each other, counted from 1.
public struct ItemSpan: Sendable, Hashable, Codable {
  /// Number of the first item.
  public var first: Int
  /// Number of the last item.
  public var last: Int

  /// The items from `first` to `last`.
  public init(_ first: Int, _ last: Int) {
    self.first = first
    self.last = last
  }
}
