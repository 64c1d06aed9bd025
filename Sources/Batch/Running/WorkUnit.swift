/// The work that a worker gets at a time: an item, or all items of an album.
struct WorkUnit: Sendable, Equatable {
  /// The items.
  let items: [BatchItem]
  /// Their numbers in the batch, from 0.
  let numbers: [Int]
  /// Name of the album.
  let album: String?

  /// Whether its samples must not depend on the processor.
  var isDeterministic: Bool { items.contains { $0.isDeterministic } }

  /// What it is called in messages and progress.
  var name: String { album.map { "album \($0)" } ?? items.first?.id ?? "" }
}
