/// One change of a queue. Items have numbers from 1, as in messages and on the command line.
package enum QueueEdit: Sendable, Equatable {
  /// Item `number` gets another source; gain, fades, title and transition stay.
  case replace(number: Int, with: QueueSource)
  /// Item `number` goes.
  case remove(number: Int)
  /// `item` becomes item `number`; one more than there are items appends it.
  case insert(QueueItem, number: Int)
  /// Item `number` becomes item `to` of the result.
  case move(number: Int, to: Int)
  /// `text` is `3.gain=-2dB`: number, key and value of an item; an empty value unsets the key.
  case set(String)
}

extension PlayQueue {
  /// The queue after `edit`. An item that becomes the first one loses its crossfade or gap, and is no part.
  /// - Throws: ``QueueFault``; the queue stays as it was.
  package func applying(_ edit: QueueEdit) throws(QueueFault) -> PlayQueue {
    var queue = self
    switch edit {
    case .replace(let number, let source):
      queue.items[try index(number, of: items.count)].source = source
    case .remove(let number):
      _ = queue.take(at: try index(number, of: items.count))
      queue.freeFirst()
    case .insert(let item, let number):
      queue.items.insert(item, at: try index(number, of: items.count + 1))
    case .move(let number, let target):
      let (from, to) = (try index(number, of: items.count), try index(target, of: items.count))
      queue.items.insert(queue.take(at: from), at: to)
      queue.freeFirst()
    case .set(let text): try queue.set(text)
    }
    try queue.validate()
    return queue
  }

  private func index(_ number: Int, of count: Int) throws(QueueFault) -> Int {
    guard (1...max(1, count)).contains(number), count > 0 else {
      throw QueueFault(.noSuchItem(count: items.count), item: number)
    }
    return number - 1
  }

  private mutating func freeFirst() {
    if !items.isEmpty { (items[0].transition, items[0].isPart) = (nil, false) }
  }

  /// Removes an item. Its first part becomes an item of its own, so that it doesn't join a stranger.
  private mutating func take(at index: Int) -> QueueItem {
    let item = items.remove(at: index)
    if !item.isPart, items.indices.contains(index) { items[index].isPart = false }
    return item
  }

  private mutating func set(_ text: String) throws(QueueFault) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = sides[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, names.count == 2, let number = Int(names[0]) else {
      throw QueueFault(.badValue(expected: "number.key=value, such as 3.gain=-2dB"), key: text)
    }
    let index = try index(number, of: items.count)
    let name = String(names[1])
    guard let key = ItemDraft.Key(rawValue: name) else {
      let allowed = ItemDraft.Key.allCases.map(\.rawValue)
      throw QueueFault(.unknownKey(allowed: allowed), item: number, key: name)
    }
    var draft = ItemDraft(items[index], number: number)
    let value = QueueNode.scalar(String(sides[1]))
    try draft.set(key, QueueValue(node: value, item: number, key: name))
    items[index] = try draft.item(line: nil)
  }
}
