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
