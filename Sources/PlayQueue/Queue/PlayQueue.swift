// SPDX-License-Identifier: Apache-2.0

// Many items on one timeline: values, exact positions, edits, and the files that list them.
//
// To read in this order:
// 1. Queue/PlayQueue.swift: a queue.
// 2. Queue/QueueItem.swift: one item.
// 3. Queue/Placement.swift: where each item lies, exactly.
// 4. Queue/QueueDiff.swift: what an edit changes.
// 5. Formats/ReadQueue.swift: a list as it was read; each format has its reader beside it.
// 6. Writers/QueueWriter.swift: the other direction.

import AudioCore

/// Many items that make one programme: one timeline, one rate, one loudness.
public struct PlayQueue: Sendable, Hashable, Codable {
  /// The scope of the loudness target; its raw value is the word in queue files.
  public enum LoudnessScope: String, Sendable, Codable, CaseIterable {
    /// One gain for the whole programme.
    case programme
    /// Each item is brought to the target alone.
    case item
    /// Each item first, then the programme.
    case both
  }

  /// The chapters of the programme; its raw value is the word in queue files.
  public enum ChapterMode: String, Sendable, Codable, CaseIterable {
    /// One chapter for each item.
    case items
    /// One chapter for each item, and within it those of its file.
    case keep
    /// No chapters.
    case none
  }

  /// The items in their order.
  public var items: [QueueItem]
  /// How items follow each other that don't say so themselves.
  public var transition = Transition.cut
  /// The programme's rate in Hz; `nil` for the rate that most samples have.
  public var rate: Int?
  /// The programme's channel layout by name; `nil` for the largest of the items.
  public var layout: String?
  /// Scope of the loudness target.
  public var loudness = LoudnessScope.programme
  /// The programme's gain in decibels, −120…40, where it is pinned; `nil` when it follows from the loudness.
  public var pinnedGain: Double?
  /// Chapters of the programme.
  public var chapters = ChapterMode.items
  /// Tags of the programme as a whole, by the names of an item's tags and title. No value is empty.
  public var tags: [String: String] = [:]

  /// A queue of `items` with hard cuts.
  public init(_ items: [QueueItem]) { self.items = items }

  /// Paths of the files that the items are taken from, each once, in the order of the items.
  package var files: [String] {
    var seen: PathSet = []
    return items.compactMap(\.file).filter { seen.insert($0) }
  }

  /// Paths of the files that the items' taps are made of, each once, in the order of the items.
  package var tapFiles: [String] {
    var seen: PathSet = []
    return items.flatMap(\.taps).compactMap(TapPaths.path).filter { seen.insert($0) }
  }

  /// How the item at `index` (from 0) follows the item before: its own transition, else the queue's.
  ///
  /// A crossfade of the queue isn't applied between neighbouring ranges of one track, because the sound is
  /// continuous there; nothing follows the first item's beginning.
  package func transition(into index: Int) -> Transition {
    guard index > 0 else { return .cut }
    if let own = items[index].transition { return own }
    if case .crossfade = transition, continues(index) { return .cut }
    return transition
  }

  /// Whether the item at `index` begins, in the same track, where the item before ends.
  package func continues(_ index: Int) -> Bool {
    guard index > 0, case .file(let path, let track, let range) = items[index].source,
      case .file(let former, track, let before) = items[index - 1].source, let end = before.end,
      PathName(former) == PathName(path),
      // A file with other taps isn't the same sound.
      items[index].taps.map(PathName.init) == items[index - 1].taps.map(PathName.init)
    else { return false }
    if case .clock(let first) = range.start, case .clock(let last) = end {
      // Not `==`: 1 s and 1.0 s are the same time with other ticks.
      return !(first < last) && !(last < first)
    }
    return range.start == end
  }

  private func checkPart(_ item: QueueItem, _ number: Int) throws(QueueFault) {
    guard item.isPart else { return }
    guard number > 1 else { throw QueueFault(.firstPart, item: number, key: "part") }
    guard item.title == nil, item.tags.isEmpty else {
      throw QueueFault(.contradiction("part and title or tags"), item: number)
    }
  }

  private func checkTaps(_ item: QueueItem, _ number: Int) throws(QueueFault) {
    if case .silence = item.source, !item.taps.isEmpty {
      throw QueueFault(.contradiction("silence and tap"), item: number)
    }
    guard !item.taps.contains("") else {
      throw QueueFault(.badValue(expected: "a text or a list of texts"), item: number, key: "tap")
    }
  }

  /// Checks what can be said of the queue without its files.
  /// - Throws: ``QueueFault`` with the number of the first item that is wrong.
  package func validate() throws(QueueFault) {
    guard !items.isEmpty else { throw QueueFault(.noItems) }
    if let layout, ChannelLayout(name: layout) == nil {
      throw QueueFault(
        .badValue(expected: "one of " + ChannelLayout.knownNames.joined(separator: ", ")),
        key: "layout")
    }
    try QueueTag.check(tags, item: nil)
    for (index, item) in items.enumerated() {
      let number = index + 1
      if index == 0, item.transition != nil { throw QueueFault(.firstTransition, item: number) }
      try checkPart(item, number)
      try checkTaps(item, number)
      try QueueTag.check(item.tags, item: number)
      if case .file(_, _, let range) = item.source, range.isReversed {
        throw QueueFault(.rangeReversed, item: number)
      }
      if case .crossfade = transition(into: index) {
        guard item.fadeIn == nil, items[index - 1].fadeOut == nil else {
          throw QueueFault(.crossfadeWithFade, item: number)
        }
      }
    }
  }
}

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

/// The names that a tag of a queue or an item can have; the raw value is the key below `tags` in queue files.
package enum QueueTag: String, Sendable, CaseIterable {
  /// The title of a queue; of an item, ``QueueItem/title`` says that.
  case title
  /// The performer.
  case artist
  /// The album or series.
  case album
  /// The performer of the album.
  case albumArtist = "album_artist"
  /// The writer of the music.
  case composer
  /// When it was published, as it is written.
  case date
  /// The kind of music or speech.
  case genre
  /// Its number on the disc.
  case track
  /// The disc's number.
  case disc
  /// The recording's code of twelve characters.
  case isrc
  /// A remark.
  case comment
  /// The holder of the rights.
  case copyright
  /// The subject.
  case description

  /// The names for an item, whose title is a key of its own.
  static let ofItem = allCases.filter { $0 != .title }

  /// Checks the names of `tags`; `item` is the item's number from 1, `nil` for the queue.
  /// - Throws: ``QueueFault`` with `unknownKey` or `badValue`.
  static func check(_ tags: [String: String], item: Int?) throws(QueueFault) {
    let allowed = item == nil ? allCases : ofItem
    // Sorted, so that of two faults always the same one is told.
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
      guard let tag = QueueTag(rawValue: name), allowed.contains(tag) else {
        throw QueueFault(.unknownKey(allowed: allowed.map(\.rawValue)), item: item, key: name)
      }
      guard !value.isEmpty else {
        throw QueueFault(.badValue(expected: "a text"), item: item, key: name)
      }
    }
  }
}

extension QueueValue {
  /// A mapping of ``QueueTag`` names to texts; an empty text leaves the tag out.
  func tags() throws(QueueFault) -> [String: String] {
    var tags: [String: String] = [:]
    for (tag, value) in try entries(QueueTag.self) where !value.node.isNothing {
      guard item == nil || tag != .title else {
        throw value.fault("the title as a key of the item, not of its tags")
      }
      tags[tag.rawValue] = try value.text()
    }
    return tags
  }
}

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
