import AudioCore

/// Puts the updates of all frames on one clock, in the order of their times.
///
/// Nothing but the state that an object has reached goes on from frame to frame.
package struct ObjectTimeline {
  /// State that each object was last sent to, by the number of its plane.
  private var targets: [ObjectState]
  /// When that state is reached; `nil` before the first update.
  private var arrivals: [Int64?]
  /// Updates that haven't been taken yet, by time.
  private var waiting: [ObjectUpdate] = []

  /// A timeline of objects that begin in `starts`.
  /// - Parameter blocks: updates of an object that a frame has at most.
  package init(_ starts: [ObjectState], blocks: Int) {
    targets = starts
    arrivals = Array(repeating: nil, count: starts.count)
    waiting.reserveCapacity(starts.count * blocks)
  }

  /// Adds an update.
  /// - Parameters:
  ///   - plane: number of the object's plane.
  ///   - time: the sample it begins at.
  ///   - ramp: samples until its values are reached; at least 0.
  package mutating func add(_ plane: Int, at time: Int64, ramp: Int, _ info: ObjectInfo) {
    add(plane, at: time, ramp: ramp, ObjectStates.state(info, before: targets[plane]))
  }

  private mutating func add(_ plane: Int, at time: Int64, ramp: Int, _ state: ObjectState) {
    // The first update of a stream finds no state from which it could move.
    let isFirst = arrivals[plane] == nil
    let rests = arrivals[plane].map { $0 <= time } ?? true
    // An object that rests where the update sends it needs none.
    if rests, state == targets[plane] {
      arrivals[plane] = arrivals[plane] ?? time
      return
    }
    let length = isFirst ? 0 : ramp
    let update = ObjectUpdate(plane: plane, at: time, ramp: Double(length), state: state)
    let place = waiting.lastIndex { $0.at <= time }.map { $0 + 1 } ?? 0
    waiting.insert(update, at: place)
    targets[plane] = state
    arrivals[plane] = max(time + Int64(length), arrivals[plane] ?? time)
  }

  /// Forgets what was planned: objects rest in the states that they were last sent to, and jump to the next ones.
  package mutating func beginAnew() {
    waiting.removeAll(keepingCapacity: true)
    for index in arrivals.indices { arrivals[index] = nil }
  }

  /// Removes the updates before sample `end` and hands them over in the order of their times.
  package mutating func take(before end: Int64, _ body: (ObjectUpdate) -> Void) {
    let count = waiting.firstIndex { $0.at >= end } ?? waiting.count
    for update in waiting.prefix(count) { body(update) }
    waiting.removeFirst(count)
  }
}
