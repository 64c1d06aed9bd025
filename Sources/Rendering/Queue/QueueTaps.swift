import AudioCore
import PlayQueue

/// The taps that a queue gives to single items, ready to be made.
struct QueueTaps {
  let input: QueueInput
  let loader: TapLoader

  /// The taps of all items, those of one item in its order; items that are treated alike share theirs.
  /// - Throws: ``MediaError`` naming the item whose tap can't be used.
  func load() throws -> [LoadedTap] {
    var items: [[String]: Set<Int>] = [:]
    var order: [[String]] = []
    for (index, item) in input.queue.items.enumerated() where !item.taps.isEmpty {
      if items[item.taps] == nil { order.append(item.taps) }
      items[item.taps, default: []].insert(index)
    }
    return try order.flatMap { texts in
      let numbers = items[texts] ?? []
      return try input.naming(numbers.min() ?? 0) {
        try loader.load(try texts.map(tap), askedBy: "the queue").map { loaded in
          var loaded = loaded
          loaded.items = numbers
          return loaded
        }
      }
    }
  }

  private func tap(_ text: String) throws -> Tap {
    let tap = try TapText.parse(text, "tap:")
    guard tap.point == .item else {
      throw MediaError(
        .usage,
        "tap: \(text): an item passes taps at the point item only; \(setting: .taps) puts one behind the sum"
      )
    }
    return tap
  }
}
