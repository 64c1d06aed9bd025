import Platform

/// How points of a room with walls at ±1 become directions.
///
/// Both mappings turn the angle between two corners of the wall by the law of ITU-R BS.2127-0,
/// section 10, and treat heights alike: a point at Z = 1 above a wall is heard at 30° elevation.
public enum CubeMapping: String, Sendable, Hashable, Codable, CaseIterable {
  /// Corners at 0°, ±30°, ±90°, ±135° and 180°: the middle of a side wall is heard at ±90° and the
  /// rear corners at ±135°, where a 7.1.4 layout has its loudspeakers.
  case eightCorners = "room"
  /// Corners at 0°, ±30° and ±110°, those of ITU-R BS.2127-0: the middle of a side wall is heard at
  /// ±70°.
  case fiveCorners = "2127"
  /// Corners as in ``eightCorners``, but an azimuth lies between two corners as the ray from the listener does, and an
  /// elevation is the ray's own: the top of a side wall is heard at 45° and not at 30°.
  case rays

  /// A corner: its azimuth in degrees, and X and Y in the room.
  typealias Corner = (azimuth: Double, x: Double, y: Double)

  /// Corners with ascending azimuths; the first one follows again, 360° further on.
  var corners: [Corner] {
    switch self {
    case .eightCorners, .rays:
      return [
        (0, 0, 1), (30, -1, 1), (90, -1, 0), (135, -1, -1), (180, 0, -1), (225, 1, -1),
        (270, 1, 0), (330, 1, 1), (360, 0, 1),
      ]
    case .fiveCorners:
      return [(0, 0, 1), (30, -1, 1), (110, -1, -1), (250, 1, -1), (330, 1, 1), (360, 0, 1)]
    }
  }

  /// The azimuth of (x, y), −180 < a ≤ 180, and its distance, which is 1 on the walls.
  func polar(x: Double, y: Double) -> (azimuth: Double, distance: Double) {
    let corners = corners
    for (right, left) in zip(corners, corners.dropFirst()) {
      let area = left.x * right.y - left.y * right.x
      let leftShare = (x * right.y - y * right.x) / area
      let rightShare = (left.x * y - left.y * x) / area
      guard leftShare >= -1e-12, rightShare >= -1e-12 else { continue }
      let distance = leftShare + rightShare
      guard distance > 0 else { break }
      let azimuth = CubeMapping.azimuth(
        share: leftShare / distance, from: right.azimuth, to: left.azimuth)
      return (azimuth > 180 ? azimuth - 360 : azimuth, distance)
    }
    return (0, 0)
  }

  /// The azimuth of the ray through (x, y), between those of the corners as the ray lies between theirs.
  static func azimuth(alongX x: Double, y: Double) -> Double {
    let ray = atan2(x, y) * 180 / .pi
    let turn = ray.magnitude
    // Corners lie at 45°, 90° and 135° in the room; those in front are heard at 30°.
    let heard = turn < 45 ? turn * 30 / 45 : turn < 90 ? 30 + (turn - 45) * 60 / 45 : turn
    return ray > 0 && heard < 180 ? -heard : heard
  }

  /// The azimuth `share` (0…1) of the way along the wall between two corners.
  private static func azimuth(share: Double, from right: Double, to left: Double) -> Double {
    let angle = share * .pi / 2
    let gain = sin(angle) / (cos(angle) + sin(angle))
    let half = (left - right) / 2 * .pi / 180
    return (left + right) / 2 + atan((2 * gain - 1) * tan(half)) * 180 / .pi
  }
}
