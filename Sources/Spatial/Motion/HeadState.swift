import AudioCore

/// What a moving head does at one moment.
enum HeadState: Equatable {
  /// It is held in this pose.
  case resting(HeadPose)
  /// It passes through this rotation.
  case moving(HeadRotation)

  /// Whether the head is held.
  var isResting: Bool {
    if case .resting = self { return true }
    return false
  }

  /// The head's rotation.
  var rotation: HeadRotation {
    switch self {
    case .resting(let pose): return HeadRotation(pose)
    case .moving(let rotation): return rotation
    }
  }

  /// The point of the unit sphere about the head where a source in `direction` is heard.
  func place(of direction: Direction) -> SIMD3<Double> {
    switch self {
    case .resting(let pose): return pose.place(of: direction)
    case .moving(let rotation): return rotation.place(of: UnitVector.of(direction))
    }
  }
}
