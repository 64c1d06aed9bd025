// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Points and angles as ITU-R BS.2127 has them: X to the right, Y to the front, Z up; azimuths in degrees
/// grow to the left. All of its formulas take such points. ``UnitVector`` has the axes of AES69, those of heads
/// and sound fields; ``point(of:)`` and ``place(of:)`` are the only ways between both.
enum RoomGeometry {
  /// The point of the room at a place in a head's axes (x ahead, y left, z up).
  static func point(of place: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(-place.y, place.x, place.z)
  }

  /// The place in a head's axes of a point; exactly on the median plane where it lies on it but for rounding, because
  /// only an exact 0 shows that symmetry.
  static func place(of point: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(point.y, point.x.magnitude < 1e-9 ? 0 : -point.x, point.z)
  }

  /// The point of the unit sphere in `direction`.
  static func point(in direction: Direction) -> SIMD3<Double> {
    point(azimuth: direction.azimuth, elevation: direction.elevation)
  }

  /// The point at these angles (degrees) and this distance.
  static func point(azimuth: Double, elevation: Double, distance: Double = 1) -> SIMD3<Double> {
    let (turn, rise) = (azimuth * .pi / 180, elevation * .pi / 180)
    return distance * SIMD3(-sin(turn) * cos(rise), cos(turn) * cos(rise), sin(rise))
  }

  /// Azimuth of a point in degrees.
  static func azimuth(of point: SIMD3<Double>) -> Double { -atan2(point.x, point.y) * 180 / .pi }

  /// Elevation of a point in degrees.
  static func elevation(of point: SIMD3<Double>) -> Double {
    let level = (point.x * point.x + point.y * point.y).squareRoot()
    return atan2(point.z, level) * 180 / .pi
  }

  static func length(_ vector: SIMD3<Double>) -> Double {
    UnitVector.dot(vector, vector).squareRoot()
  }

  /// Unit vectors to the right of, towards and above a direction, as seen from the middle.
  static func axes(azimuth: Double, elevation: Double) -> RoomAxes {
    RoomAxes(
      right: point(azimuth: azimuth - 90, elevation: 0),
      ahead: point(azimuth: azimuth, elevation: elevation),
      up: point(azimuth: azimuth, elevation: elevation + 90))
  }

  /// Unit vectors to the right of, towards and above a point; those of the front at the middle itself,
  /// and those of azimuth 0 at the poles.
  static func axes(at point: SIMD3<Double>) -> RoomAxes {
    guard length(point) >= 1e-10 else { return axes(azimuth: 0, elevation: 0) }
    let elevation = elevation(of: point)
    let isPole = elevation.magnitude > 90 - 1e-5
    return axes(azimuth: isPole ? 0 : azimuth(of: point), elevation: elevation)
  }

  /// The piecewise linear function through `points` (x rising) at `x`; outside, the nearest point's y.
  static func interpolate(_ x: Double, _ points: [(x: Double, y: Double)]) -> Double {
    guard let first = points.first, let last = points.last else { return 0 }
    if x <= first.x { return first.y }
    for (low, high) in zip(points, points.dropFirst()) where x <= high.x {
      return high.x > low.x ? low.y + (high.y - low.y) * (x - low.x) / (high.x - low.x) : high.y
    }
    return last.y
  }

  /// Whether an azimuth lies in the range that begins at `from` and goes to the left up to `to`, all in
  /// degrees (ITU-R BS.2127-1, 6.2). −180…180 holds all azimuths.
  static func contains(_ azimuth: Double, from: Double, to: Double, tolerance: Double) -> Bool {
    var span = (to - from).truncatingRemainder(dividingBy: 360)
    if span < 0 || (span == 0 && to > from) { span += 360 }
    var offset = (azimuth - from + tolerance).truncatingRemainder(dividingBy: 360)
    if offset < 0 { offset += 360 }
    return offset <= span + 2 * tolerance
  }
}

/// Three unit vectors at right angles, seen from the listener.
struct RoomAxes {
  let right: SIMD3<Double>
  let ahead: SIMD3<Double>
  let up: SIMD3<Double>

  /// The point with these coordinates along the axes.
  func point(_ local: SIMD3<Double>) -> SIMD3<Double> {
    local.x * right + local.y * ahead + local.z * up
  }
}
