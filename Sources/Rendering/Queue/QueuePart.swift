/// The part of a queue's programme that one output gets.
struct QueuePart {
  /// Number of the mix that it is taken from.
  let mix: Int
  /// Its samples of the programme.
  let range: Range<Int64>
  /// The items that it holds; `nil` for the whole programme.
  let items: ItemSpan?
}
