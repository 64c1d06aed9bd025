// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

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

  /// Takes an update; answers whether it changes anything. The state before it is known only now.
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

/// Turns what an update says of an object into a state of the renderer's (TS 103 420 and TS 103 190-2, and ITU-R
/// BS.2076 for the coordinates: X right, Y front, Z up, walls at ±1).
package enum ObjectStates {
  /// State of an object before its first update: silent in the middle of the room.
  package static let initial = ObjectState(position: .cartesian(x: 0, y: 0, z: 0), gain: 0)

  /// The state that `info` asks for. An object that isn't active keeps its place in `before` and is silent: what
  /// can't be heard needn't move.
  ///
  /// Divergence, screen and priority are left aside: a divergence has no distance of its two sides, a home
  /// renderer knows no screen, and priority serves renderers with too few channels only.
  package static func state(_ info: ObjectInfo, before: ObjectState) -> ObjectState {
    guard info.isActive else {
      var silent = before
      silent.gain = 0
      return silent
    }
    let size = (Double(info.size.x) / 31, Double(info.size.y) / 31, Double(info.size.z) / 31)
    var rules = ObjectRules()
    if info.isSnapped { rules.lock = ObjectRules.ChannelLock() }
    rules.zones = zones(info)
    return ObjectState(
      position: position(info), gain: info.gain.map { Decibels.amplitude(Double($0)) } ?? 0,
      extent: ObjectExtent(width: size.0, height: size.2, depth: size.1), rules: rules)
  }

  private static func position(_ info: ObjectInfo) -> ObjectPosition {
    let place = { (code: Int, fifths: Int, steps: Double) -> Double in
      Double(code) / steps + Double(fifths) / (5 * steps)
    }
    let x = 2 * min(1, max(0, place(info.position.x, info.precision.x, 62))) - 1
    let y = 1 - 2 * min(1, max(0, place(info.position.y, info.precision.y, 62)))
    let z = min(1, max(-1, place(info.position.z, info.precision.z, 15)))
    guard info.distance != .unstated else { return .cartesian(x: x, y: y, z: z) }
    // A stated distance lies behind the wall, on the ray from the listener through the position. The
    // renderers have no room behind the wall, so the object stays where the ray meets it.
    let reach = max(x.magnitude, y.magnitude, z.magnitude)
    guard reach > 0 else { return .cartesian(x: x, y: y, z: z) }
    return .cartesian(x: x / reach, y: y / reach, z: z / reach)
  }

  /// Loudspeakers that may not play the object, as boxes of the room.
  ///
  /// The standard names groups of loudspeakers, not boxes. The borders lie halfway between the places that
  /// loudspeakers have in this room: the screen's at Y = 1, those of the side walls at Y = 0 and X = ±1, those
  /// behind at Y = −1, wide ones at Y = 0.5, and those of the ceiling at Z = 1.
  package static func zones(_ info: ObjectInfo) -> [ObjectRules.Zone] {
    // The lists are made once, because updates come in every frame.
    let codes = info.hasElevation ? elevatedZones : flatZones
    return codes.indices.contains(info.zone) ? codes[info.zone] : codes[0]
  }

  /// The boxes of each code, where loudspeakers above may play the object.
  private static let elevatedZones = (0...7).map { zones($0, hasElevation: true) }
  /// The boxes of each code, where these may not.
  private static let flatZones = (0...7).map { zones($0, hasElevation: false) }

  private static func zones(_ code: Int, hasElevation: Bool) -> [ObjectRules.Zone] {
    let all = -1.0...1
    var zones: [ObjectRules.Zone]
    switch code {
    case 1:  // without those behind
      zones = [.box(x: all, y: -1...(-0.5), z: all)]
    case 2:  // without those at the sides
      zones = [
        .box(x: -1...(-0.5), y: -0.5...0.75, z: all), .box(x: 0.5...1, y: -0.5...0.75, z: all),
      ]
    case 3:  // only the centre and those behind
      zones = [
        .box(x: -1...(-0.25), y: -0.5...1, z: all), .box(x: 0.25...1, y: -0.5...1, z: all),
      ]
    case 4:  // only those of the screen
      zones = [.box(x: all, y: -1...0.75, z: all), .box(x: all, y: all, z: 0.5...1)]
    case 5:  // only those around the listener
      zones = [.box(x: all, y: 0.75...1, z: -1...0.5)]
    // 0 is no constraint; the rest is reserved.
    default: zones = []
    }
    if !hasElevation { zones.append(.box(x: all, y: all, z: 0.5...1)) }
    return zones
  }
}

/// The values of an object in an update (`object_info_block`, TS 103 420 and TS 103 190-2).
package struct ObjectInfo: Equatable, Sendable, BitwiseCopyable {
  /// Three numbers along the axes of the room: right, back and up.
  package struct Axes: Equatable, Sendable, BitwiseCopyable {
    package var x = 0
    package var y = 0
    package var z = 0

    /// Three numbers; 0 by default.
    package init(x: Int = 0, y: Int = 0, z: Int = 0) { (self.x, self.y, self.z) = (x, y, z) }
  }

  /// How far an object is.
  package enum Distance: Equatable, Sendable, BitwiseCopyable {
    /// At its position.
    case unstated
    /// Behind the wall, this many times as far.
    case factor(Double)
    /// At infinity.
    case infinite
  }

  /// How a position relates to the screen.
  package struct Screen: Equatable, Sendable, BitwiseCopyable {
    package var factor: Double
    package var depth: Double

    /// A relation of these two.
    package init(factor: Double, depth: Double) { (self.factor, self.depth) = (factor, depth) }
  }

  /// Whether the object sounds.
  package var isActive = false
  /// Gain in dB; `nil` is silence.
  package var gain: Int?
  /// Importance, 0…1.
  package var priority = 0.0
  /// Position: X and Y in 62nds of the room from its left front corner, Z in 15ths of the height from the
  /// listener's ears.
  package var position = Axes(x: 31, y: 31, z: 0)
  /// Addends of the extended element to the position, in fifths of a step.
  package var precision = Axes()
  package var distance = Distance.unstated
  /// `zone_constraints_idx`, 0…7.
  package var zone = 0
  /// Whether loudspeakers above the listener may play the object.
  package var hasElevation = true
  /// Width, depth and height in 31sts of the room.
  package var size = Axes()
  /// `nil` without reference to the screen.
  package var screen: Screen?
  /// Whether the nearest loudspeaker plays the object.
  package var isSnapped = false
  /// Part that goes to two further places, 0…1.
  package var divergence = 0.0

  /// The values that hold where none are sent.
  package init() {}

  /// Values that hold where none are sent.
  package static let defaults = ObjectInfo()

  /// Makes everything that `object_render_info` sends the default.
  package mutating func clearRendering() {
    let (isActive, gain, priority) = (isActive, gain, priority)
    self = .defaults
    (self.isActive, self.gain, self.priority) = (isActive, gain, priority)
  }
}

/// Gains that metadata give the channels of a bed. A bed has no updates in a programme, so they are applied
/// to the samples.
package struct BedGains {
  private var motions: [ObjectMotion]

  /// Full level for `count` channels.
  package init(_ count: Int) {
    motions = Array(repeating: ObjectMotion(restingIn: ObjectState()), count: count)
  }

  /// Applies the gain of channel `plane` to `count` samples and moves on behind them.
  package mutating func apply(_ plane: Int, to samples: UnsafeMutablePointer<Float>, count: Int) {
    let motion = motions[plane]
    if motion.isResting {
      if motion.target.gain != 1 {
        for index in 0..<count { samples[index] *= Float(motion.target.gain) }
      }
      return
    }
    for index in 0..<count {
      samples[index] *= Float(motion.advanced(by: index).state.gain)
    }
    motions[plane] = motion.advanced(by: count)
  }

  /// Takes an update at the next sample.
  package mutating func take(_ update: ObjectUpdate) {
    motions[update.plane] = update.motion(after: motions[update.plane])
  }
}
