import AudioCore

/// Where sources of the room are heard from by a head that is held or moves.
struct HeadView {
  private let pose: HeadPose
  private let trajectory: HeadTrajectory?
  private let rate: Int

  /// The view of a head in `pose`, or along `trajectory` at `rate` samples a second.
  init(pose: HeadPose, trajectory: HeadTrajectory?, rate: Int) {
    self.pose = pose
    self.trajectory = trajectory
    self.rate = rate
  }

  /// Whether the head is held.
  var isStill: Bool { trajectory == nil }

  /// What the head does at sample `time` of the programme.
  func state(at time: Int) -> HeadState {
    trajectory?.state(at: time, rate: rate) ?? .resting(pose)
  }

  /// Where a source at `place` of the room is heard in `state`; exact for a head that looks ahead.
  static func place(of place: SIMD3<Double>, _ state: HeadState) -> SIMD3<Double> {
    switch state {
    case .resting(let pose):
      if pose == .ahead { return place }
      // Subtracted angles give the same bits as a bed's channel in this direction.
      return pose.place(of: UnitVector.direction(of: place))
    case .moving(let rotation): return rotation.place(of: place)
    }
  }
}
