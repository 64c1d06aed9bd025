import Platform

/// The part of the sphere that an extent covers: all points within a distance of an arc, fading out over
/// 10° (ITU-R BS.2127-1, 7.3).
struct SpreadShape {
  private static let fade = 10 * Double.pi / 180

  private let axes: RoomAxes
  /// Half of the arc's length, rad.
  private let reach: Double
  /// Distance from the arc that is covered wholly, rad.
  private let radius: Double
  /// Sine of the greatest elevation of points with a weight; 1 for all.
  private let highest: Double
  /// Both ends of the arc.
  private let ends: [SIMD3<Double>]

  /// The shape around the direction of `point`, of `width` and `height` degrees, 0…360.
  init(at point: SIMD3<Double>, width: Double, height: Double) {
    let local = RoomGeometry.axes(at: point)
    let isTall = height > width
    axes = isTall ? RoomAxes(right: local.up, ahead: local.ahead, up: local.right) : local
    let long = max(width, height) * .pi / 360
    radius = min(width, height) * .pi / 360
    // Beyond 180° the arc also grows by its thickness, so that 360° leaves no gap at the back.
    let whole = RoomGeometry.interpolate(
      long, [(0, 0), (.pi / 2, .pi / 2), (.pi, .pi + radius)])
    let half = RoomGeometry.interpolate(
      radius, [(0, whole), (.pi / 4, whole), (.pi / 2, long), (.pi, long)])
    reach = half - radius
    let edge = radius + SpreadShape.fade
    highest = edge < .pi / 2 ? sin(edge) : 1
    ends = [-reach, reach].map { [axes] in axes.point(SIMD3(sin($0), cos($0), 0)) }
  }

  /// Weight of a point of the unit sphere, 0…1.
  func weight(_ point: SIMD3<Double>) -> Double {
    let height = UnitVector.dot(point, axes.up)
    guard height.magnitude <= highest else { return 0 }
    let azimuth = atan2(UnitVector.dot(point, axes.right), UnitVector.dot(point, axes.ahead))
    let away: Double
    if azimuth.magnitude <= reach {
      away = asin(min(1, max(-1, height))).magnitude
    } else {
      let nearest = max(UnitVector.dot(point, ends[0]), UnitVector.dot(point, ends[1]))
      away = acos(min(1, max(-1, nearest)))
    }
    return min(1, max(0, 1 - (away - radius) / SpreadShape.fade))
  }
}
