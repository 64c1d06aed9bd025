import AudioCore
import PlayQueue

/// The tags of what a queue becomes.
struct QueueTags {
  let input: QueueInput
  let entries: [QueueEntry]

  /// The tags of an output with `items`; `nil` is the whole programme.
  func tags(of items: ItemSpan?) -> MediaTags {
    let queue = input.queue.tags
    guard let items else {
      var tags = MediaTags()
      tags.override(with: queue)
      // An album is called what its tracks have in common.
      tags["title"] = queue["title"] ?? queue["album"]
      tags["track"] = nil
      return tags
    }
    let item = input.queue.items[items.first - 1]
    var own = file(items)
    own.override(with: queue)
    own.override(with: item.tags)
    if let title = item.title { own["title"] = title }
    let numbers = input.queue.items.indices.filter { !input.queue.items[$0].isPart }
    let place = numbers.firstIndex(of: items.first - 1).map { $0 + 1 }
    // The number among those of the queue is the total, too.
    own["tracktotal"] = nil
    own["track"] = item.tags["track"] ?? place.map { "\($0)/\(numbers.count)" }
    return own
  }

  /// The tags of the file, where the items are one file as a whole.
  private func file(_ items: ItemSpan) -> MediaTags {
    guard items.first == items.last,
      case .sound(_, let track, let range) = entries[items.first - 1],
      range == 0..<track.frames
    else { return MediaTags() }
    return track.tags
  }
}
