// SPDX-License-Identifier: Apache-2.0

/// The work of a batch that hasn't begun: each unit once, in the batch's order, and then those that are tried again.
struct WorkQueue {
  /// A unit that is due.
  struct Turn {
    let unit: WorkUnit
    /// Number of the attempt, from 1.
    let attempt: Int
    /// When it may begin, on ``WorkClock/wall``.
    let notBefore: Double
  }

  private let items: [BatchItem]
  /// Number of the first item of each unit.
  private var firsts: [Int32] = []
  /// Numbers of the items of each album.
  private var albums: [String: [Int]] = [:]
  /// How many units have been taken.
  private var taken = 0
  private var again: [Turn] = []

  /// The units of `items`, in the order of their first items.
  init(_ items: [BatchItem]) {
    self.items = items
    firsts.reserveCapacity(items.count)
    for (number, item) in items.enumerated() {
      if let album = item.album {
        if albums[album] == nil { firsts.append(Int32(number)) }
        albums[album, default: []].append(number)
      } else {
        firsts.append(Int32(number))
      }
    }
  }

  /// How many units are left.
  var count: Int { firsts.count - taken + again.count }

  /// The next unit that may begin at `now`; it stays in the queue.
  func next(at now: Double) -> Turn? {
    guard taken < firsts.count else { return again.first { $0.notBefore <= now } }
    let first = Int(firsts[taken])
    let album = items[first].album
    let numbers = album.flatMap { albums[$0] } ?? [first]
    let unit = WorkUnit(items: numbers.map { items[$0] }, numbers: numbers, album: album)
    return Turn(unit: unit, attempt: 1, notBefore: 0)
  }

  /// Removes the unit that ``next(at:)`` gives for `now`.
  mutating func removeNext(at now: Double) {
    if taken < firsts.count {
      taken += 1
    } else if let place = again.firstIndex(where: { $0.notBefore <= now }) {
      again.remove(at: place)
    }
  }

  /// Puts a unit back, to be tried again.
  mutating func retry(_ turn: Turn) { again.append(turn) }

  /// Drops everything that hasn't begun.
  mutating func close() {
    taken = firsts.count
    again = []
  }
}

/// The work that a worker gets at a time: an item, or all items of an album.
struct WorkUnit: Sendable, Equatable {
  let items: [BatchItem]
  /// Their numbers in the batch, from 0.
  let numbers: [Int]
  /// Name of the album.
  let album: String?

  /// Whether its samples must not depend on the processor.
  var isDeterministic: Bool { items.contains { $0.isDeterministic } }

  /// Name in messages and progress.
  var name: String { album.map { "album \($0)" } ?? items.first?.id ?? "" }
}

/// Work that a worker is doing.
struct RunningWork {
  let unit: WorkUnit
  /// Number of the attempt, from 1.
  let attempt: Int
  /// When it has to be done, on ``WorkClock/wall``; `nil` for no limit.
  let deadline: Double?
  /// When a worker that was asked to stop is ended.
  var grace: Double?
  /// Why it was stopped before it was done.
  var verdict: Verdict?

  /// Why work was stopped.
  enum Verdict {
    /// The work took too long.
    case timeout
    /// The worker took too much memory.
    case memory
    /// The batch was asked to stop.
    case stopped
  }
}
