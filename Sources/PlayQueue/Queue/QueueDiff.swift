// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A queue with all that decides which samples it makes, as far as it is known without decoding.
package struct PlacedQueue: Sendable {
  package let queue: PlayQueue
  /// Places of its items.
  package let placement: Placement
  /// For each item a digest of its file's bytes; `nil` when it isn't known, empty when none is.
  package let digests: [String?]

  /// `queue` placed by `placement`; `digests` has one entry for each item, or none.
  package init(_ queue: PlayQueue, _ placement: Placement, digests: [String?] = []) {
    precondition(queue.items.count == placement.items.count, "the placement of this queue")
    precondition(digests.isEmpty || digests.count == queue.items.count, "one digest an item")
    self.queue = queue
    self.placement = placement
    self.digests = digests
  }
}

/// The samples that differ between the programmes of two queues.
///
/// Samples are compared before the programme's gain, except where both gains are pinned. A range may hold equal
/// samples, but outside the ranges nothing differs.
package struct QueueDiff: Sendable, Equatable, Codable {
  /// Why samples differ; where several reasons hold, the first one of this list is given.
  package enum Reason: String, Sendable, Codable, CaseIterable {
    /// A setting of the queue differs.
    case setting
    /// The gain that is pinned differs.
    case programmeGain = "programme-gain"
    /// The item isn't in the old queue.
    case itemNew = "item-new"
    /// The bytes of the item's file differ.
    case sourceChanged = "source-changed"
    /// The item has another range, gain, fade or tap.
    case itemChanged = "item-changed"
    /// The item lies elsewhere, or on another phase of its rate conversion.
    case itemMoved = "item-moved"
    /// The item isn't in the new queue.
    case itemRemoved = "item-removed"
    /// A filter's head or tail reaches over from a neighbour that differs.
    case neighbourTail = "neighbour-tail"
  }

  /// How far a filter reaches over an item's borders, in samples of the programme, at least 0.
  package struct Reach: Sendable, Equatable, Codable {
    /// Samples before the item's first one.
    package var head: Int64 = 0
    /// Samples behind the item's last one.
    package var tail: Int64 = 0

    /// A reach of `head` samples before an item and `tail` samples behind it.
    package init(head: Int64 = 0, tail: Int64 = 0) {
      self.head = head
      self.tail = tail
    }
  }

  /// Samples that may differ.
  package struct Change: Sendable, Equatable, Codable {
    /// The first sample.
    package let from: Int64
    /// The first sample behind them.
    package let to: Int64
    package let why: Reason
  }

  /// The ranges in ascending order, none overlapping another. Samples behind the end of the shorter
  /// programme count as different.
  package let changes: [Change]
  /// The first sample that may differ; `nil` when all are equal.
  package var firstChangedSample: Int64? { changes.first?.from }

  /// Compares two queues; `reach` is that of the filters of both.
  package init(from old: PlacedQueue, to new: PlacedQueue, reach: Reach = Reach()) {
    let length = max(old.placement.frames, new.placement.frames)
    if let why = QueueDiff.wholeReason(old, new) {
      changes = length > 0 ? [Change(from: 0, to: length, why: why)] : []
      return
    }
    var ranges = RangeSweep(length: length)
    for pair in ItemPairing(old, new).pairs {
      for part in pair.parts where !part.isEmpty {
        ranges.add(part, pair.why)
        // A part that begins within the item has a head as well: the filter hears the change beforehand.
        let (first, last) = (part.lowerBound, part.upperBound)
        ranges.add((first - min(first, reach.head))..<first, .neighbourTail)
        ranges.add(last..<(last + min(length, reach.tail)), .neighbourTail)
      }
    }
    changes = ranges.changes()
  }

  private static func wholeReason(_ old: PlacedQueue, _ new: PlacedQueue) -> Reason? {
    let isSame =
      old.placement.rate == new.placement.rate && old.queue.layout == new.queue.layout
      && old.queue.loudness == new.queue.loudness
    guard isSame else { return .setting }
    return old.queue.pinnedGain == new.queue.pinnedGain ? nil : .programmeGain
  }
}

/// The contribution of an item to the programme: two equal contributions are the same samples in the same place.
private struct Contribution: Hashable {
  let source: QueueSource
  let digest: String?
  let loudness: Double?
  let taps: [String]
  let place: PlacedItem

  init(_ placed: PlacedQueue, _ index: Int) {
    let item = placed.queue.items[index]
    source = item.source
    digest = placed.digests.isEmpty ? nil : placed.digests[index]
    loudness = item.loudness
    taps = item.taps
    place = placed.placement.items[index]
  }

  /// Contribution without its place: what a moved item keeps.
  var content: Content {
    Content(
      source: source, digest: digest, loudness: loudness, taps: taps.map(PathName.init),
      envelope: place.envelope)
  }

  /// File and track of the item, whatever is done to it.
  var origin: Origin {
    switch source {
    case .silence: return Origin(path: nil, track: nil)
    case .file(let path, let track, _): return Origin(path: PathName(path), track: track)
    }
  }

  struct Content: Hashable {
    let source: QueueSource
    let digest: String?
    let loudness: Double?
    let taps: [PathName]
    let envelope: ItemEnvelope
  }

  struct Origin: Hashable {
    let path: PathName?
    let track: Int?
  }

  var range: Range<Int64> { place.start..<max(place.start, place.end) }
}

/// Items of two queues, each with what it was or became.
private struct ItemPairing {
  /// A difference: an old and a new item, or one of them.
  struct Pair {
    let old: Contribution?
    let new: Contribution?
    let why: QueueDiff.Reason

    /// The ranges in which samples of the old or the new programme may differ.
    var parts: [Range<Int64>] {
      guard let old, let new else { return [old, new].compactMap { $0?.range } }
      return Pair.changedPart(old, new).map { [$0] } ?? [old.range, new.range]
    }

    /// The part of an item that differs by nothing but the fades at its ends; `nil` when more differs.
    private static func changedPart(_ old: Contribution, _ new: Contribution) -> Range<Int64>? {
      guard old.source == new.source, old.digest == new.digest, old.loudness == new.loudness,
        old.taps.map(PathName.init) == new.taps.map(PathName.init),
        old.place.conversion == new.place.conversion, old.range == new.range,
        old.place.envelope.decibels == new.place.envelope.decibels
      else { return nil }
      let (before, after) = (old.place.envelope, new.place.envelope)
      let (start, end) = (new.place.start, new.place.end)
      let risen = before.rise == after.rise ? nil : max(before.rise.frames, after.rise.frames)
      let fallen = before.fall == after.fall ? nil : max(before.fall.frames, after.fall.frames)
      switch (risen, fallen) {
      // The crossfade's length is in the place too; its effect is in the envelopes.
      case (nil, nil): return start..<start
      case (let frames?, nil): return start..<min(end, start + frames)
      case (nil, let frames?): return max(start, end - frames)..<end
      case (_?, _?): return start..<end
      }
    }
  }

  private(set) var pairs: [Pair] = []
  private var old: [Contribution]
  private var new: [Contribution]

  init(_ before: PlacedQueue, _ after: PlacedQueue) {
    old = before.queue.items.indices.map { Contribution(before, $0) }
    new = after.queue.items.indices.map { Contribution(after, $0) }
    match(by: { $0 }, { _, _ in nil })
    match(by: \.content, { _, _ in .itemMoved })
    match(by: \.origin) { old, new in
      old.digest == new.digest ? .itemChanged : .sourceChanged
    }
    pairs += old.map { Pair(old: $0, new: nil, why: .itemRemoved) }
    pairs += new.map { Pair(old: nil, new: $0, why: .itemNew) }
  }

  /// Pairs the items that are still alone and have the same key, in their order; `why` is `nil` for those that
  /// don't differ.
  private mutating func match<Key: Hashable>(
    by key: (Contribution) -> Key, _ why: (Contribution, Contribution) -> QueueDiff.Reason?
  ) {
    var waiting: [Key: [Int]] = [:]
    // Filled from behind, so that the last entry is the first item.
    for index in old.indices.reversed() { waiting[key(old[index]), default: []].append(index) }
    var isPaired = Array(repeating: false, count: old.count)
    var alone: [Contribution] = []
    for item in new {
      guard let index = waiting[key(item)]?.popLast() else {
        alone.append(item)
        continue
      }
      isPaired[index] = true
      if let reason = why(old[index], item) {
        pairs.append(Pair(old: old[index], new: item, why: reason))
      }
    }
    old = zip(old, isPaired).filter { !$1 }.map(\.0)
    new = alone
  }
}

/// Makes ranges with reasons, which may overlap, into ranges that don't.
private struct RangeSweep {
  private let length: Int64
  private var borders: [(at: Int64, reason: Int, step: Int)] = []

  init(length: Int64) { self.length = length }

  /// Adds a range, cut to the programme.
  mutating func add(_ range: Range<Int64>, _ why: QueueDiff.Reason) {
    let cut = range.clamped(to: 0..<length)
    guard !cut.isEmpty, let reason = QueueDiff.Reason.allCases.firstIndex(of: why) else { return }
    borders.append((cut.lowerBound, reason, 1))
    borders.append((cut.upperBound, reason, -1))
  }

  /// The ranges in their order, each with the first reason that holds in it.
  func changes() -> [QueueDiff.Change] {
    var active = Array(repeating: 0, count: QueueDiff.Reason.allCases.count)
    var changes: [QueueDiff.Change] = []
    var last: Int64 = 0
    for border in borders.sorted(by: { $0.at < $1.at }) {
      if border.at > last, let reason = active.firstIndex(where: { $0 > 0 }) {
        let why = QueueDiff.Reason.allCases[reason]
        if let before = changes.last, before.to == last, before.why == why {
          changes[changes.count - 1] = .init(from: before.from, to: border.at, why: why)
        } else {
          changes.append(.init(from: last, to: border.at, why: why))
        }
      }
      active[border.reason] += border.step
      last = border.at
    }
    return changes
  }
}
