import AudioCore

/// How a listener holds the head, in degrees.
///
/// The head turns about its own axes in the order yaw, pitch, roll (intrinsic z-y′-x″): first to the
/// side, then up or down about the turned ear-to-ear axis, then about the direction of the nose.
/// Looking ahead is all zero. Sources stay where they are in the room, so with a yaw of 30° every
/// one of them is heard 30° further to the right.
public struct HeadPose: Sendable, Hashable, Codable {
  /// Turn of the head, positive to the left as azimuths are, −360…360.
  public var yaw: Double
  /// Rise of the nose, positive upwards, −90…90.
  public var pitch: Double
  /// Tilt of the head, positive when the right ear goes down, −360…360.
  public var roll: Double

  /// Looking straight ahead.
  public static let ahead = HeadPose()

  /// A pose from its angles in degrees.
  public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// Makes sure that every angle is in range.
  /// - Throws: ``MediaError`` of kind `usage` naming the angle that isn't.
  func check() throws {
    let limits = [("yaw", yaw, 360.0), ("pitch", pitch, 90), ("roll", roll, 360)]
    for (name, angle, limit) in limits where !(-limit...limit).contains(angle) {
      throw MediaError(
        .usage, "the head's \(name) must be within −\(Int(limit))…\(Int(limit))°, not \(angle)")
    }
  }

  /// The point of the unit sphere about the head (x to the nose, y to the left ear) where a source
  /// in `direction` of the room is heard.
  func place(of direction: Direction) -> SIMD3<Double> {
    guard pitch != 0 || roll != 0 else {
      // Subtracted angles give the same bits as a room that is turned the other way.
      var seen = direction
      seen.azimuth = HeadPose.wrapped(direction.azimuth - yaw)
      return UnitVector.of(seen)
    }
    return HeadRotation(self).place(of: UnitVector.of(direction))
  }

  private static func wrapped(_ azimuth: Double) -> Double {
    var azimuth = azimuth
    while azimuth > 180 { azimuth -= 360 }
    while azimuth <= -180 { azimuth += 360 }
    return azimuth
  }
}
