import AudioCore
import Platform

/// Weights of directions in an object of some size (ITU-R BS.2127-0, 7.3.8.2.3): 1 inside a stadium of
/// the given width and height, falling to 0 within 10° around it.
struct ExtentWeights {
  private let across: SIMD3<Double>
  private let ahead: SIMD3<Double>
  private let up: SIMD3<Double>
  /// Half the distance of the stadium's two circles, and their radius, in radians.
  private let center: Double
  private let radius: Double
  /// Sine and cosine of ``center``.
  private let end: SIMD2<Double>
  /// Cosine of the angle from ``ahead`` beyond which all weights are 0.
  private let farthest: Double

  private static let fade = 10 * Double.pi / 180

  /// Weights around `direction` for a size in degrees, at least 5.
  init(at direction: Direction, width: Double, height: Double) {
    let azimuth = direction.elevation.magnitude > 90 - 1e-5 ? 0 : direction.azimuth
    let front = UnitVector.of(Direction(azimuth: azimuth, elevation: direction.elevation))
    let right = UnitVector.of(Direction(azimuth: azimuth - 90))
    let top = UnitVector.cross(right, front)
    let w = max(5, width) * .pi / 360
    let h = max(5, height) * .pi / 360
    let isTall = h > w
    let (long, short) = isTall ? (h, w) : (w, h)
    ahead = front
    across = isTall ? top : right
    up = isTall ? right : top
    // A wide object wraps around, so that its ends meet at the back.
    let half = Double.pi / 2
    let met = long <= half ? long : half + (long - half) / half * (half + short)
    let share = min(1, max(0, (short - half / 2) / (half / 2)))
    radius = short
    center = met + (long - met) * share - short
    end = SIMD2(sin(center), cos(center))
    farthest = cos(min(.pi, center + radius + ExtentWeights.fade))
  }

  /// The weight of the direction of a point of the unit sphere, 0…1.
  func weight(of place: SIMD3<Double>) -> Double {
    let x = UnitVector.dot(place, across)
    let y = UnitVector.dot(place, ahead)
    guard y >= farthest else { return 0 }
    let z = UnitVector.dot(place, up)
    let azimuth = atan2(x, y)
    let distance: Double
    if azimuth.magnitude <= center {
      distance = asin(min(1, max(-1, z))).magnitude - radius
    } else {
      let near = end.x * x.magnitude + end.y * y
      distance = acos(min(1, max(-1, near))) - radius
    }
    return min(1, max(0, 1 - distance / ExtentWeights.fade))
  }
}
