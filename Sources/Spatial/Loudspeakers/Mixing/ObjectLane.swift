import AudioCore

/// The motion of one object, and the states whose gains the mixer holds.
final class ObjectLane {
  /// Plane of the object.
  let plane: Int
  /// The motion at the sample that comes next.
  private(set) var motion: ObjectMotion
  /// Updates of the block that were taken.
  private var taken = 0
  /// State whose gains are the mixer's origin; `nil` before the first.
  private var origin: ObjectState?
  /// State whose gains are the mixer's target; `nil` before the first.
  private var target: ObjectState?

  /// A lane for the object in `plane`.
  init(plane: Int, start: ObjectState) {
    self.plane = plane
    motion = ObjectMotion(restingIn: start)
  }

  /// Whether an end of the motion is diffuse.
  var isDiffuse: Bool { motion.target.diffuse > 0 || motion.origin.diffuse > 0 }

  /// Enters a block that begins with `motion`.
  func enter(_ motion: ObjectMotion, _ mixer: PlaneMixer, _ gains: OutputGains) throws {
    taken = 0
    try follow(motion, mixer, gains)
  }

  /// The update of the block that comes next.
  func next(in updates: PlaneUpdates) -> ObjectUpdate? { updates.update(taken, of: plane) }

  /// Takes the updates at sample `position`, which is the next one.
  func take(
    _ updates: PlaneUpdates, at position: Int64, _ mixer: PlaneMixer, _ gains: OutputGains
  ) throws {
    let before = taken
    var motion = motion
    while let update = next(in: updates), update.at <= position {
      motion = update.motion(after: motion)
      taken += 1
    }
    if taken > before { try follow(motion, mixer, gains) }
  }

  /// Passes `count` samples.
  func pass(_ count: Int) { motion = motion.advanced(by: count) }

  /// Samples from the next one on, at most `count`, in which the ramp isn't over. Channels for loudspeakers
  /// and ears take their new gains at once.
  func rampSamples(upTo count: Int) -> Int {
    guard !motion.isResting, case .source = motion.target.rules.role else { return 0 }
    let rest = motion.ramp - motion.lead - Double(motion.elapsed)
    var samples = rest < Double(count) ? max(0, Int(rest.rounded(.up))) : count
    // The difference is rounded; the sum decides, as it does in the motion itself.
    while samples > 0, isOver(after: samples - 1) { samples -= 1 }
    while samples < count, !isOver(after: samples) { samples += 1 }
    return samples
  }

  /// Continues with `motion` and gives the mixer the gains it lacks.
  func follow(_ motion: ObjectMotion, _ mixer: PlaneMixer, _ gains: OutputGains) throws {
    self.motion = motion
    if !motion.isResting, origin != motion.origin {
      if target == motion.origin {
        mixer.moveTargetToOrigin(plane)
      } else {
        mixer.start(plane, try gains.gains(of: motion.origin))
      }
      origin = motion.origin
    }
    if target != motion.target {
      mixer.rest(plane, try gains.gains(of: motion.target))
      target = motion.target
    }
  }

  private func isOver(after samples: Int) -> Bool {
    Double(motion.elapsed + samples) + motion.lead >= motion.ramp
  }
}
