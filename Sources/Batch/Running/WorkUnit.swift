/// The work that a worker gets at a time: an item, or all items of an album.
struct WorkUnit: Sendable, Equatable {
  /// The items.
  let items: [BatchItem]
  /// Name of the album.
  let album: String?

  /// Whether its samples must not depend on the processor.
  var isDeterministic: Bool { items.contains { $0.isDeterministic } }

  /// What it is called in messages and progress.
  var name: String { album.map { "album \($0)" } ?? items.first?.id ?? "" }

  /// The units of `items`, in the order of their first items.
  static func units(of items: [BatchItem]) -> [WorkUnit] {
    var order: [String] = []
    var groups: [String: [BatchItem]] = [:]
    for item in items {
      let name = item.album.map { "a" + $0 } ?? "i" + item.id
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(item)
    }
    return order.compactMap { name in
      groups[name].map { WorkUnit(items: $0, album: $0.first?.album) }
    }
  }
}
