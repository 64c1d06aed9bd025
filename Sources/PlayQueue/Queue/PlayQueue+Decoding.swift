import AudioCore

extension PlayQueue {
  /// The schema's name in queue files.
  package static let schema = "pinna.queue/1"

  private enum Key: String, CaseIterable {
    case schema, rate, layout, crossfade, curve, gap, loudness, gain, chapters, tags, items
  }

  /// The queue that the file at `path` holds as `node`, checked as far as it can be without its files.
  /// - Throws: ``QueueFault`` naming file, line, item and key.
  package init(_ node: QueueNode, path: String) throws(QueueFault) {
    do {
      try self.init(node)
    } catch {
      throw error.located(in: path)
    }
  }

  private init(_ node: QueueNode) throws(QueueFault) {
    self.init([])
    let root = QueueValue(node: node, item: nil, key: "queue")
    var join = TransitionKeys()
    var hasSchema = false
    var lines: [Int?] = []
    for (key, value) in try root.entries(Key.self) {
      switch key {
      case .schema:
        guard try value.text() == PlayQueue.schema else { throw value.fault(PlayQueue.schema) }
        hasSchema = true
      case .items: (items, lines) = try PlayQueue.items(value)
      // Nothing means what it means without the key.
      default: if !value.node.isNothing { try set(key, value, &join) }
      }
    }
    guard hasSchema else {
      throw QueueFault(.missing("schema: \(PlayQueue.schema)"), line: node.line)
    }
    transition = try join.transition(nil, node.line) ?? .cut
    do {
      try validate()
    } catch {
      let line = error.item.flatMap { lines[$0 - 1] }
      throw QueueFault(error.reason, item: error.item, key: error.key, line: line ?? node.line)
    }
  }

  private mutating func set(
    _ key: Key, _ value: QueueValue, _ join: inout TransitionKeys
  ) throws(QueueFault) {
    switch key {
    case .schema, .items: break
    case .rate: rate = try value.integer(1...10_000_000)
    case .layout: layout = try value.text()
    case .crossfade: join.crossfade = try value.time()
    case .curve: join.curve = try value.word(FadeCurve.self)
    case .gap: join.gap = try value.time()
    case .loudness: loudness = try value.word(LoudnessScope.self)
    case .gain: pinnedGain = try value.number(-120...40, unit: "dB")
    case .chapters: chapters = try value.word(ChapterMode.self)
    case .tags: tags = try value.tags()
    }
  }

  private static func items(
    _ value: QueueValue
  ) throws(QueueFault) -> (items: [QueueItem], lines: [Int?]) {
    guard case .list(let nodes, _) = value.node else { throw value.fault("a list of items") }
    var items: [QueueItem] = []
    for (index, node) in nodes.enumerated() {
      var draft = ItemDraft(number: index + 1)
      let entry = QueueValue(node: node, item: index + 1, key: value.key)
      for (key, field) in try entry.entries(ItemDraft.Key.self) { try draft.set(key, field) }
      items.append(try draft.item(line: node.line))
    }
    return (items, nodes.map(\.line))
  }
}
