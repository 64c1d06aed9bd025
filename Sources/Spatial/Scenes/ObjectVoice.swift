// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// One sound on its way through filters that may change from hop to hop: an object between two jumps, or a
/// channel for a loudspeaker.
final class ObjectVoice {
  /// Place of the voice and shape of its filters over time.
  var course: VoiceCourse { didSet { isNewCourse = true } }
  var gain: GainLine
  /// Whether another voice has taken over and this one ends with its fade.
  var isLeaving = false

  /// Filters at the end of the hop before; `nil` before the first hop and after silence.
  var filter: VoiceFilter?
  /// Whether its first filter is the designer's own: for voices that are there from the beginning.
  var startsExact = false
  /// Whether it is a channel of a bed, whose filters are those of ``TurningFilters``.
  var isChannel = false
  /// Whether ``course`` may have changed since ``filter`` was made.
  var isNewCourse = true
  /// Hops in a row for which the filter was asked for the same place and shape.
  var restingHops = 0

  /// Its reflections, once it had some.
  var reflections: ReflectionSource?

  private let step: Int
  private let history: Int
  /// Room for the history and some steps, so that most steps needn't move the history.
  private let samples: Buffer<Float>
  /// Start of the step's history.
  private var first = 0
  private let spare: [Buffer<Float>]
  private var nextSpare = 0
  /// Samples of silence at the end of history and step.
  private var silence: Int

  /// Steps that there is room for.
  private static let room = 4

  /// A voice whose samples come in steps of `step`, and of which as many as `history` are kept; `makeFilter`
  /// makes room for filters.
  init(
    course: VoiceCourse, gain: GainLine, history: Int, step: Int,
    makeFilter: () -> Buffer<Float>
  ) {
    self.course = course
    self.gain = gain
    self.step = step
    self.history = history
    samples = Buffer(aligned: history + ObjectVoice.room * step)
    spare = [makeFilter(), makeFilter()]
    silence = history + step
  }

  /// The exact filter of the hop before, where it holds for the next one, too, from sample `time` to sample `end`: the
  /// voice and the head, as it is at both, rest.
  func restingFilter(from time: Int, to end: Int, head: (HeadState, HeadState)) -> Buffer<Float>? {
    guard !isNewCourse, course.isResting, head.0.isResting, head.0 == head.1,
      let last = filter, last.isExact, last.time == time
    else { return nil }
    filter?.time = end
    restingHops += 1
    return last.planes
  }

  /// Room for the next mixed filter, never that of ``filter``.
  func takeSpare() -> Buffer<Float> {
    nextSpare = 1 - nextSpare
    return spare[nextSpare]
  }

  /// The history, then the step.
  var input: UnsafePointer<Float> { UnsafePointer(samples.base + first) }

  /// The step's samples.
  var newest: UnsafeMutablePointer<Float> { samples.base + first + history }

  /// Moves ``input`` on by a step, the new one silent.
  func beginStep() {
    guard !isSilent else { return }
    first += step
    if first + history + step > samples.count {
      samples.base.update(from: samples.base + first, count: history)
      first = 0
    }
    newest.update(repeating: 0, count: step)
  }

  /// Adds `count` samples of the step from `offset` on, the first of them sample `time`.
  func add(_ source: UnsafePointer<Float>, count: Int, offset: Int, time: Int) {
    gain.add(source + offset, to: newest + offset, count: count, time: time)
  }

  /// Ends the step. Answers whether any sample of ``input`` isn't silent.
  func endStep() -> Bool {
    let newest = newest
    var isQuiet = true
    for index in 0..<step where newest[index] != 0 {
      isQuiet = false
      break
    }
    silence = isQuiet ? min(history + step, silence + step) : 0
    return !isSilent
  }

  /// Whether nothing but silence is left to be heard of the samples so far.
  var isSilent: Bool { silence >= history + step }
}

/// The place of a voice at any time and its shape, one leg after the other.
///
/// A leg holds from its own sample on. Filters ask for times shortly before the latest sample, so that the
/// leg before still counts for a while.
struct VoiceCourse {
  /// A path with a change of shape.
  struct Leg {
    /// The sample from which the leg holds.
    var time: Double
    /// The places.
    var path: VoicePath
    /// The shape before and after ``fade``.
    var shape: (from: VoiceShape, to: VoiceShape)
    /// When the shape changes.
    var fade = Fade.done
  }

  /// At first one that holds for ever; legs that are appended have another before them.
  private var legs: [Leg]

  /// A voice that always was at one place.
  init(_ place: SIMD3<Double>, _ shape: VoiceShape) {
    legs = [Leg(time: -.infinity, path: VoicePath(place), shape: (shape, shape))]
  }

  /// Whether place and shape never change.
  var isResting: Bool { legs.count == 1 }

  /// The shape in which the last leg ends.
  var lastShape: VoiceShape { legs[legs.count - 1].shape.to }

  /// Appends a leg, which is the latest; legs that were over `before` its time are forgotten.
  mutating func append(_ leg: Leg, keeping before: Double) {
    if let first = legs.lastIndex(where: { $0.time <= leg.time - before }), first > 0 {
      legs.removeFirst(first)
    }
    legs.append(leg)
  }

  /// The place at sample `time`.
  func place(at time: Double) -> SIMD3<Double> { legs[index(at: time)].path.place(at: time) }

  /// The shape at sample `time`.
  func shape(at time: Double) -> VoiceShape {
    let index = index(at: time)
    let part = legs[index].fade.part(at: time)
    let (from, to) = legs[index].shape
    return part >= 1 ? to : from.moved(to: to, by: part)
  }

  private func index(at time: Double) -> Int {
    var index = legs.count - 1
    while index > 0, legs[index].time > time { index -= 1 }
    return index
  }
}

/// The way of a voice over the unit sphere (x ahead, y left, z up): along the great circle from one
/// place to another during a fade.
struct VoicePath: Equatable {
  private let from: SIMD3<Double>
  private let to: SIMD3<Double>
  private let fade: Fade
  /// Angle from `from` to `to` in radians.
  private let angle: Double

  /// A voice that rests at `place`.
  init(_ place: SIMD3<Double>) { (from, to, fade, angle) = (place, place, .done, 0) }

  /// A voice that goes from `from` to `to`, less than 180° apart, during `fade`.
  init(from: SIMD3<Double>, to: SIMD3<Double>, _ fade: Fade) {
    (self.from, self.to, self.fade) = (from, to, fade)
    angle = VoicePath.angle(from, to) * .pi / 180
  }

  /// Place of the voice at sample `time`. At rest it is exact.
  func place(at time: Double) -> SIMD3<Double> {
    let part = fade.part(at: time)
    if part >= 1 || from == to { return to }
    if part <= 0 { return from }
    // Only the direction of the sum counts.
    let sum =
      angle < 1e-6
      ? from * (1 - part) + to * part
      : from * sin((1 - part) * angle) + to * sin(part * angle)
    var place = sum / UnitVector.dot(sum, sum).squareRoot()
    // The median plane has a symmetry that only an exact 0 shows.
    if place.y.magnitude < 1e-9 { place.y = 0 }
    return place
  }

  /// Angle between two places, in degrees.
  static func angle(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
    let across = UnitVector.cross(one, other)
    let sine = UnitVector.dot(across, across).squareRoot()
    return atan2(sine, UnitVector.dot(one, other)) * 180 / .pi
  }
}

/// How a voice is heard, besides its direction.
struct VoiceShape: Equatable {
  /// Angle from the left to the right end, in degrees.
  var width = 0.0
  /// Angle from the lower to the upper end, in degrees.
  var height = 0.0
  /// Further places that share the voice.
  var divergence: ObjectRules.Divergence?
  /// Whether the head's rotation doesn't count.
  var isHeadLocked = false
  /// Amplitude of its reflections in a room relative to those of a loudspeaker.
  var reflections = 0.0

  /// Sizes below this many degrees are points.
  static let leastSize = 10.0

  /// Whether it is larger than a point.
  var isWide: Bool { max(width, height) > VoiceShape.leastSize }

  /// Whether one direction is all of it.
  var isPoint: Bool { !isWide && (divergence?.value ?? 0) <= 0 }

  /// The shape after `part` (0…1) of the way to `target`, whose divergence holds at once.
  func moved(to target: VoiceShape, by part: Double) -> VoiceShape {
    var shape = target
    shape.width = width + (target.width - width) * part
    shape.height = height + (target.height - height) * part
    shape.reflections = reflections + (target.reflections - reflections) * part
    return shape
  }
}

/// A linear gain that goes from one value to another during a fade.
struct GainLine: Equatable {
  private(set) var from: Double
  private(set) var to: Double
  private(set) var fade: Fade

  /// A constant gain.
  init(_ gain: Double) { (from, to, fade) = (gain, gain, .done) }

  /// A gain that goes from `from` to `to` during `fade`.
  init(from: Double, to: Double, _ fade: Fade) {
    (self.from, self.to, self.fade) = (from, to, fade)
  }

  /// The gain at sample `time`.
  func value(at time: Double) -> Double {
    let part = fade.part(at: time)
    return part >= 1 ? to : from + (to - from) * part
  }

  /// Goes from the gain at sample `time` to `target` during `fade`.
  mutating func turn(to target: Double, at time: Double, _ fade: Fade) {
    self = GainLine(from: value(at: time), to: target, fade)
  }

  /// Whether the gain is 0 from sample `time` on.
  func isZero(from time: Double) -> Bool {
    to == 0 && (from == 0 || fade.part(at: time) >= 1)
  }

  /// Adds `count` samples from `source` to `target`, each times the gain at its time; the first one
  /// is sample `time`. Each gain depends on its sample's number only.
  func add(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int, time: Int
  ) {
    guard !isZero(from: Double(time)) else { return }
    let first = fade.part(at: Double(time))
    if first >= 1 || from == to {
      let gain = Float(to)
      for index in 0..<count { target[index] += gain * source[index] }
      return
    }
    let (start, scale, base, way) = (fade.start, 1 / fade.length, from, to - from)
    for index in 0..<count {
      let part = min(1, max(0, (Double(time + index) - start) * scale))
      target[index] += Float(base + way * part) * source[index]
    }
  }
}

/// A stretch of time over which values go linearly from one to another.
struct Fade: Equatable {
  /// The sample at which it begins; not necessarily whole.
  var start: Double
  /// Samples it lasts, at least 0.
  var length: Double

  /// A fade that is over.
  static let done = Fade(start: 0, length: 0)

  /// The sample at which it is over.
  var end: Double { start + length }

  /// The part of the way that is done at sample `time`, 0…1.
  func part(at time: Double) -> Double {
    length > 0 ? min(1, max(0, (time - start) / length)) : 1
  }
}
