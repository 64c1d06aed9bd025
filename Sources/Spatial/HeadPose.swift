// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

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
    for (setting, angle) in [(Setting.yaw, yaw), (.pitch, pitch), (.roll, roll)] {
      let row = setting.row
      guard !row.value.range.contains(angle) else { continue }
      let limit = Int(row.value.range.upperBound)
      throw MediaError(
        .usage, "the head's \(row.key) must be within −\(limit)…\(limit)°, not \(angle)")
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

/// The rotation from the head's axes to the room's, a unit quaternion w + xi + yj + zk.
///
/// Both have x ahead, y left, z up.
struct HeadRotation: Sendable, Equatable {
  private var parts: SIMD4<Double>

  private init(_ parts: SIMD4<Double>) { self.parts = parts }

  /// The rotation of `pose`: yaw about z, then pitch about the turned −y, then roll about the x
  /// axis that results.
  init(_ pose: HeadPose) {
    func half(_ angle: Double, _ axis: SIMD4<Double>) -> HeadRotation {
      let half = angle * .pi / 360
      return HeadRotation(SIMD4(0, 0, 0, cos(half)) + axis * sin(half))
    }
    let yaw = half(pose.yaw, SIMD4(0, 0, 1, 0))
    let pitch = half(pose.pitch, SIMD4(0, -1, 0, 0))
    let roll = half(pose.roll, SIMD4(1, 0, 0, 0))
    parts = yaw.after(pitch.after(roll)).parts
  }

  /// The product: `other` first, then this.
  private func after(_ other: HeadRotation) -> HeadRotation {
    let a = parts
    let b = other.parts
    return HeadRotation(
      SIMD4(
        a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y),
        a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
        a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x),
        a.w * b.w - a.x * b.x - (a.y * b.y + a.z * b.z)))
  }

  /// Direction, seen from the head, of a source at `place` of the room; exact zeros on the median plane.
  func place(of place: SIMD3<Double>) -> SIMD3<Double> {
    let axis = -SIMD3(parts.x, parts.y, parts.z)
    let twice = 2 * UnitVector.cross(axis, place)
    var seen = place + parts.w * twice + UnitVector.cross(axis, twice)
    if seen.y.magnitude < 1e-9 { seen.y = 0 }
    return seen
  }

  /// The rotation `part` (0…1) of the way to `other`, at constant speed by the shorter way round
  /// (K. Shoemake: "Animating Rotation with Quaternion Curves", SIGGRAPH 1985).
  func interpolated(to other: HeadRotation, part: Double) -> HeadRotation {
    let product = parts * other.parts
    let closeness = product.x + product.y + (product.z + product.w)
    let end = closeness < 0 ? -other.parts : other.parts
    let angle = acos(min(1, closeness.magnitude))
    // For angles this small the chord equals the arc, and the quotient below would lose its digits.
    let sum =
      angle < 1e-7
      ? parts * (1 - part) + end * part
      : (parts * sin((1 - part) * angle) + end * sin(part * angle)) / sin(angle)
    let square = sum * sum
    return HeadRotation(sum / (square.x + square.y + (square.z + square.w)).squareRoot())
  }
}
