import AudioCore
import Platform

/// Gains by which a sound is played on two channels without virtualisation.
///
/// The closed form of what ITU-R BS.2127-0, 6.1.3.1 gives for layout 0+2+0 at ear height: the tangent
/// law between ±30°, one channel alone beyond, and 3 dB less at the back.
enum StereoPan {
  /// Azimuth of the loudspeakers, and of the surround loudspeakers that the law starts from.
  private static let front = 30.0 * Double.pi / 180
  private static let surround = 110.0 * Double.pi / 180

  /// Linear gains to the left and to the right for an azimuth in degrees, positive to the left.
  static func gains(azimuth: Double) -> SIMD2<Double> {
    let angle = azimuth.magnitude * .pi / 180
    var near: Double
    var far = 0.0
    var back = 0.0
    if angle <= front {
      let third = (1 / 3.0).squareRoot()
      near = sin(angle) + cos(angle) * third
      far = cos(angle) * third - sin(angle)
    } else if angle <= surround {
      near = 1
      let width = sin(surround - front)
      back = share(sin(angle - front) / width, sin(surround - angle) / width)
    } else {
      // Between the surrounds, through the back.
      let side = sin(angle) / sin(surround)
      let middle = cos(angle) / cos(surround)
      near = middle + side
      far = max(0, middle - side)
      back = 1
    }
    let power = near * near + far * far
    let gain = pow(0.5, back / 2) / power.squareRoot()
    let gains = SIMD2(near, far) * gain
    return azimuth < 0 ? SIMD2(gains.y, gains.x) : gains
  }

  private static func share(_ back: Double, _ front: Double) -> Double {
    back + front > 0 ? max(0, back) / (max(0, back) + max(0, front)) : 0
  }
}
