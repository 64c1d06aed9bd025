import AudioCore

/// Many items that make one programme: one timeline, one rate, one loudness.
public struct PlayQueue: Sendable, Hashable, Codable {
  /// What the loudness target refers to; its raw value is the word in queue files.
  public enum LoudnessScope: String, Sendable, Codable, CaseIterable {
    /// One gain for the whole programme.
    case programme
    /// Each item is brought to the target alone.
    case item
    /// Each item first, then the programme.
    case both
  }

  /// Which chapters the programme has; its raw value is the word in queue files.
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
  /// What the loudness target refers to.
  public var loudness = LoudnessScope.programme
  /// The programme's gain in decibels, −120…40, where it is pinned; `nil` when it follows from the loudness.
  public var pinnedGain: Double?
  /// Which chapters the programme has.
  public var chapters = ChapterMode.items
  /// What is known of the programme as a whole, by the names of an item's tags and title. No value is empty.
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
      // What is treated otherwise isn't the same sound.
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
