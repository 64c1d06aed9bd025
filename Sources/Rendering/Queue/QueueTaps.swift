import AudioCore
import PlayQueue

/// The taps that a queue gives to single items, ready to be made.
struct QueueTaps {
  let input: QueueInput
  let environment: RenderEnvironment
  let log: DiagnosticLog

  /// The taps of all items, those of one item in its order; items that are treated alike share theirs.
  /// - Throws: ``MediaError`` naming the item whose tap can't be used.
  func load() throws -> [LoadedTap] {
    // The files of a queue keep to the bounds of its sound.
    let loader = TapLoader(
      launcher: environment.programs, log: log, bounds: input.clip.decoding.bounds)
    let joining = input.clip.joining
    // Taps hold paths.
    var items: [[PathName]: Set<Int>] = [:]
    var order: [[PathName]] = []
    for (index, item) in input.queue.items.enumerated() where !item.taps.isEmpty {
      let taps = item.taps.map(PathName.init)
      if items[taps] == nil { order.append(taps) }
      items[taps, default: []].insert(index)
    }
    return try order.flatMap { names in
      let numbers = items[names] ?? []
      return try input.naming(numbers.min() ?? 0) {
        let taps = try names.map { name in
          var tap = try QueueTaps.tap(name.text)
          tap.latency = joining.tapLatency
          return tap
        }.filter { !joining.leftOut.contains($0) }
        return try loader.load(taps, askedBy: "the queue").map { loaded in
          var loaded = loaded
          loaded.items = numbers
          return loaded
        }
      }
    }
  }

  /// The tap of an item that `text` describes.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func tap(_ text: String) throws -> Tap {
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
