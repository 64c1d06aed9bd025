import Platform

/// The part of the sphere that an extent covers: all points within a distance of an arc, fading out over
/// 10° (ITU-R BS.2127-1, 7.3).
struct SpreadShape {
  private static let fade = 10 * Double.pi / 180

  private let axes: RoomAxes
  /// Distance from the arc that is covered wholly, rad.
  private let radius: Double
  /// Cosine of half the arc's length.
  private let turn: Double
  /// Cosine of ``radius``, and of the distance at which nothing is left; −1 for π and more.
  private let inner: Double
  private let outer: Double
  /// The same as sines of elevations; 1 for a right angle and more.
  private let low: Double
  private let high: Double
  /// Both ends of the arc.
  private let ends: (SIMD3<Double>, SIMD3<Double>)

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
    let reach = half - radius
    let edge = radius + SpreadShape.fade
    (turn, inner, outer) = (cos(reach), cos(radius), edge < .pi ? cos(edge) : -1)
    low = radius < .pi / 2 ? sin(radius) : 1
    high = edge < .pi / 2 ? sin(edge) : 1
    let end = { [axes] (angle: Double) in axes.point(SIMD3(sin(angle), cos(angle), 0)) }
    ends = (end(-reach), end(reach))
  }

  /// Weight of a point of the unit sphere, 0…1.
  ///
  /// Only points on the slope need an angle; for the others its sine or cosine is compared.
  func weight(_ point: SIMD3<Double>) -> Double {
    let height = UnitVector.dot(point, axes.up)
    guard height.magnitude < high || high == 1 else { return 0 }
    let (right, ahead) = (UnitVector.dot(point, axes.right), UnitVector.dot(point, axes.ahead))
    if ahead >= turn * (right * right + ahead * ahead).squareRoot() {
      guard height.magnitude > low else { return 1 }
      return slope(asin(min(1, height.magnitude)))
    }
    let nearest = max(UnitVector.dot(point, ends.0), UnitVector.dot(point, ends.1))
    guard nearest < inner else { return 1 }
    return nearest > outer ? slope(acos(max(-1, nearest))) : 0
  }

  private func slope(_ distance: Double) -> Double {
    min(1, max(0, 1 - (distance - radius) / SpreadShape.fade))
  }
}
