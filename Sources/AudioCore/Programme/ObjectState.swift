// SPDX-License-Identifier: Apache-2.0

/// The place, level, size and rules of an audio object at one moment.
public struct ObjectState: Sendable, Hashable, Codable {
  /// Position of the object.
  public var position: ObjectPosition
  /// Linear gain, at least 0; 1 leaves the samples as they are.
  public var gain: Double
  /// How large it is.
  public var extent: ObjectExtent
  /// Decorrelated part of the power, 0…1.
  public var diffuse: Double
  /// Rules that few objects have.
  public var rules: ObjectRules

  /// A state from its values; a point of full level in front by default.
  public init(
    position: ObjectPosition = .polar(Direction(azimuth: 0), distance: 1), gain: Double = 1,
    extent: ObjectExtent = .point, diffuse: Double = 0, rules: ObjectRules = .none
  ) {
    self.position = position
    self.gain = gain
    self.extent = extent
    self.diffuse = diffuse
    self.rules = rules
  }

  /// The state after `fraction` (0…1) of the way to `target`: position, gain, extent and diffuse part
  /// linearly, the target's rules at once.
  public func moved(to target: ObjectState, by fraction: Double) -> ObjectState {
    ObjectState(
      position: position.moved(to: target.position, by: fraction),
      gain: gain + (target.gain - gain) * fraction,
      extent: extent.moved(to: target.extent, by: fraction),
      diffuse: diffuse + (target.diffuse - diffuse) * fraction, rules: target.rules)
  }
}

/// The position of an object. The two kinds of coordinates are rendered by rules of their own (ITU-R BS.2127), so
/// one isn't turned into the other before the renderer.
public enum ObjectPosition: Sendable, Hashable, Codable {
  /// A direction, and a distance of at least 0, of which 1 is that of the loudspeakers.
  case polar(Direction, distance: Double)
  /// A point of a room whose walls lie at ±1: X to the right, Y to the front, Z up.
  case cartesian(x: Double, y: Double, z: Double)

  /// Azimuth, elevation and distance, or X, Y and Z.
  public var coordinates: [Double] {
    switch self {
    case .polar(let direction, let distance):
      return [direction.azimuth, direction.elevation, distance]
    case .cartesian(let x, let y, let z): return [x, y, z]
    }
  }

  /// The position after `fraction` (0…1) of the way to `target`.
  ///
  /// Every coordinate is interpolated linearly. The azimuth turns the shorter way round; between azimuths
  /// that lie exactly 180° apart it turns left when the target's is the greater number, else right. Between
  /// coordinates of different kinds there is no way: the target is reached at once.
  package func moved(to target: ObjectPosition, by fraction: Double) -> ObjectPosition {
    let mix = { (from: Double, to: Double) in from + (to - from) * fraction }
    switch (self, target) {
    case (.polar(let from, let near), .polar(let to, let far)):
      var turn = to.azimuth - from.azimuth
      if turn > 180 { turn -= 360 }
      if turn < -180 { turn += 360 }
      var azimuth = from.azimuth + turn * fraction
      if azimuth > 180 { azimuth -= 360 }
      if azimuth < -180 { azimuth += 360 }
      return .polar(
        Direction(azimuth: azimuth, elevation: mix(from.elevation, to.elevation)),
        distance: mix(near, far))
    case (.cartesian(let x, let y, let z), .cartesian(let toX, let toY, let toZ)):
      return .cartesian(x: mix(x, toX), y: mix(y, toY), z: mix(z, toZ))
    default: return target
    }
  }
}

/// How large an object is.
///
/// With a polar position, width and height are angles in degrees, 0…360, and depth is a distance, at least
/// 0. With a Cartesian position, all three are shares of the room, 0…1.
public struct ObjectExtent: Sendable, Hashable, Codable {
  /// From left to right.
  public var width: Double
  /// From bottom to top.
  public var height: Double
  /// From front to back.
  public var depth: Double

  /// A point.
  public static let point = ObjectExtent()

  /// An extent; a point by default.
  public init(width: Double = 0, height: Double = 0, depth: Double = 0) {
    self.width = width
    self.height = height
    self.depth = depth
  }

  /// The extent after `fraction` (0…1) of the way to `target`, each value linearly.
  package func moved(to target: ObjectExtent, by fraction: Double) -> ObjectExtent {
    let mix = { (from: Double, to: Double) in from + (to - from) * fraction }
    return ObjectExtent(
      width: mix(width, target.width), height: mix(height, target.height),
      depth: mix(depth, target.depth))
  }
}

/// A change of an object: from an exact sample on it moves to another state.
package struct ObjectUpdate: Sendable, Hashable {
  /// Plane of the object.
  package var plane: Int
  /// First sample that the update affects, on the clock of its block: the block's first sample has
  /// number ``ProgrammeBlock/start``.
  package var at: Int64
  /// Samples until ``state`` is reached: in sample `at + n` the object has gone
  /// `(elapsed + n + lead) / ramp` of the way. 0 jumps.
  package var ramp: Double
  /// How long before its first sample the ramp began, in samples, 0…1.
  package var lead: Double
  /// The state to reach.
  package var state: ObjectState
  /// State in which the ramp began, where it began before `at`; `nil` begins with the state that the
  /// object has at `at`.
  package var origin: ObjectState?
  /// Samples of the ramp that passed before `at`; more than 0 only with an `origin`.
  package var elapsed: Int

  /// The object in `plane` begins at sample `at` to move to `state` within `ramp` samples.
  package init(
    plane: Int, at: Int64, ramp: Double = 0, lead: Double = 0, state: ObjectState
  ) {
    (self.plane, self.at, self.ramp, self.lead, self.state) = (plane, at, ramp, lead, state)
    (origin, elapsed) = (nil, 0)
  }

  /// The object in `plane` goes on at sample `at` with `motion`, which may have begun earlier.
  package init(plane: Int, at: Int64, motion: ObjectMotion) {
    (self.plane, self.at, state) = (plane, at, motion.target)
    (ramp, lead) = (motion.ramp, motion.lead)
    origin = motion.isResting ? nil : motion.origin
    elapsed = motion.elapsed
  }

  /// The motion at sample ``at``, when the motion up to there is `before`.
  package func motion(after before: ObjectMotion) -> ObjectMotion {
    ObjectMotion(
      from: origin ?? before.state, to: state, ramp: ramp, lead: lead, elapsed: elapsed)
  }
}

/// How an object moves at one sample: it rests in a state, or it is on a ramp between two.
///
/// A motion stores both ends of its ramp and the number of samples passed. Cutting a block in the middle
/// of a ramp therefore changes only that number. The states behind the cut are calculated from the same
/// two ends as without it, so they are equal bit by bit, wherever blocks are cut.
package struct ObjectMotion: Sendable, Hashable, Codable {
  /// State in which the ramp began; the same as ``target`` when the object rests.
  package let origin: ObjectState
  /// State in which the ramp ends.
  package let target: ObjectState
  /// Samples that the whole ramp lasts; 0 when the object rests.
  package let ramp: Double
  /// How long before the first sample of the ramp it began, in samples, 0…1: times of metadata may lie
  /// between two samples.
  package let lead: Double
  /// Samples of the ramp that have passed since its first one; 0 when the object rests.
  package let elapsed: Int

  /// An object that rests in `state`.
  package init(restingIn state: ObjectState) {
    (origin, target, ramp, lead, elapsed) = (state, state, 0, 0, 0)
  }

  /// A ramp of `ramp` samples that began `elapsed` + `lead` samples ago. When it is over, or both ends are
  /// equal, the object rests in `target`.
  package init(
    from origin: ObjectState, to target: ObjectState, ramp: Double, lead: Double = 0,
    elapsed: Int = 0
  ) {
    let isOver = Double(elapsed) + lead >= ramp || origin == target
    self.origin = isOver ? target : origin
    self.target = target
    self.ramp = isOver ? 0 : ramp
    self.lead = isOver ? 0 : lead
    self.elapsed = isOver ? 0 : max(0, elapsed)
  }

  /// Whether the object rests.
  package var isResting: Bool { ramp == 0 }

  /// Part of the way to ``target`` that is done, 0…1; 1 when the object rests.
  package var fraction: Double {
    isResting ? 1 : (Double(elapsed) + lead) / ramp
  }

  /// The state at this sample.
  package var state: ObjectState {
    // The branch keeps a resting object's values exact.
    isResting ? target : origin.moved(to: target, by: fraction)
  }

  /// The motion `count` samples later, when no update comes in between.
  package func advanced(by count: Int) -> ObjectMotion {
    guard !isResting, count > 0 else { return self }
    let (sum, isLong) = elapsed.addingReportingOverflow(count)
    guard !isLong else { return ObjectMotion(restingIn: target) }
    return ObjectMotion(from: origin, to: target, ramp: ramp, lead: lead, elapsed: sum)
  }
}
