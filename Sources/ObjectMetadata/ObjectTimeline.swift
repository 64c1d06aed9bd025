import AudioCore

/// Puts the updates of all frames on one clock, in the order of their times.
///
/// Nothing but the state that an object has reached goes on from frame to frame.
package struct ObjectTimeline {
  /// State of the update of each object that was added last, by the number of its plane.
  private var added: [ObjectState]
  /// State that each object was last sent to: that of the update that was taken last.
  private var targets: [ObjectState]
  /// When that state is reached; `nil` before the first update.
  private var arrivals: [Int64?]
  /// Updates that haven't been taken yet, by time. Blocks of one frame may lie behind the next frame's first one.
  private var waiting: [ObjectUpdate] = []

  /// A timeline of objects that begin in `starts`.
  /// - Parameter blocks: updates of an object that a frame has at most.
  package init(_ starts: [ObjectState], blocks: Int) {
    (added, targets) = (starts, starts)
    arrivals = Array(repeating: nil, count: starts.count)
    waiting.reserveCapacity(2 * starts.count * blocks)
  }

  /// Adds an update.
  /// - Parameters:
  ///   - plane: number of the object's plane.
  ///   - time: the sample it begins at.
  ///   - ramp: samples until its values are reached; at least 0.
  package mutating func add(_ plane: Int, at time: Int64, ramp: Int, _ info: ObjectInfo) {
    let state = ObjectStates.state(info, before: added[plane])
    added[plane] = state
    let update = ObjectUpdate(plane: plane, at: time, ramp: Double(ramp), state: state)
    let place = waiting.lastIndex { $0.at <= time }.map { $0 + 1 } ?? 0
    waiting.insert(update, at: place)
  }

  /// Forgets what was planned: objects rest in the states that they were last sent to, and jump to the next ones.
  package mutating func beginAnew() {
    waiting.removeAll(keepingCapacity: true)
    for index in arrivals.indices { arrivals[index] = nil }
  }

  /// Removes the updates before sample `end` and hands those over that change something, in the order of their times.
  package mutating func take(before end: Int64, _ body: (ObjectUpdate) -> Void) {
    let count = waiting.firstIndex { $0.at >= end } ?? waiting.count
    for index in 0..<count where passes(index) { body(waiting[index]) }
    waiting.removeFirst(count)
  }

  /// Takes an update; answers whether it changes anything. What comes before it is known only now.
  private mutating func passes(_ index: Int) -> Bool {
    let (plane, time) = (waiting[index].plane, waiting[index].at)
    // The first update of a stream finds no state from which it could move.
    if arrivals[plane] == nil { waiting[index].ramp = 0 }
    let arrival = arrivals[plane] ?? time
    // An object that rests where the update sends it needs none.
    guard arrival > time || waiting[index].state != targets[plane] else {
      arrivals[plane] = arrival
      return false
    }
    targets[plane] = waiting[index].state
    arrivals[plane] = max(time + Int64(waiting[index].ramp), arrival)
    return true
  }
}
