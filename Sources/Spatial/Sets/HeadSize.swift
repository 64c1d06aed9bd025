import AudioCore
import Platform

/// The size of a head, as the radius of the sphere whose interaural delays are closest to the head's.
///
/// A sphere of radius a delays the far ear by a / c · (θ + sin θ), where θ is the lateral angle of the source
/// (R. S. Woodworth, Experimental Psychology, 1938).
package struct HeadSize: Sendable, Hashable {
  /// Speed of sound at 20 °C, m/s.
  private static let speedOfSound = 343.2
  /// The circumference of an average adult's head, cm, and the radius that goes with it, m (V. R. Algazi, C. Avendano,
  /// R. O. Duda: Estimation of a Spherical-Head Model from Anthropometry, J. Audio Eng. Soc. 49, 2001).
  private static let average = (circumference: 57.0, radius: 0.0875)

  /// Radius of the sphere, m.
  package let radius: Double

  /// A head of this circumference in cm, measured above ears and eyebrows.
  package init(circumference: Double) {
    radius = HeadSize.average.radius * circumference / HeadSize.average.circumference
  }

  /// A head of these measures in cm, by the regression of Algazi, Avendano and Duda (2001): its width between the ears,
  /// its depth from the forehead to the back, and its height from the chin to the top.
  package init(width: Double, depth: Double, height: Double) {
    radius = (0.51 * width / 2 + 0.019 * height / 2 + 0.18 * depth / 2 + 3.2) / 100
  }

  /// A head like a sphere of this radius in m.
  package init(radius: Double) { self.radius = radius }

  /// The head that `set` is played for, by least squares over its delays in the horizontal plane.
  package init(of set: HRTFSet) {
    let synthesiser = ResponseSynthesiser(set)
    var (sum, weight) = (0.0, 0.0)
    for azimuth in stride(from: 10.0, through: 170, by: 5) {
      for side in [1.0, -1] {
        let pair = synthesiser.pair(for: Direction(azimuth: side * azimuth))
        let delay = side * (pair.right.delay - pair.left.delay) / Double(set.sourceRate)
        let shape = HeadSize.delay(azimuth: azimuth, radius: 1)
        sum += delay * shape
        weight += shape * shape
      }
    }
    radius = sum / weight
  }

  /// The factor of the delays of the set `id`, which was measured on this head, for another `head`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where the heads are too far apart, or the set has hardly any delays.
  package func scale(to head: HeadSize, of id: String) throws -> Double {
    let scale = head.radius / radius
    guard HRTFOptions.Head.scales.contains(scale) else {
      throw MediaError(
        .unsupportedFeature, about: id,
        "can't be fitted to that head: its delays are those of a sphere of \(HRTFInspection.text(100 * radius)) cm, and the head's "
          + "those of \(HRTFInspection.text(100 * head.radius)) cm; give another set")
    }
    return scale
  }

  /// The interaural delay of a sphere in seconds for a source at `azimuth` degrees, 0 to 180, in the horizontal plane.
  package static func delay(azimuth: Double, radius: Double) -> Double {
    let lateral = min(azimuth, 180 - azimuth) * .pi / 180
    return radius / speedOfSound * (lateral + sin(lateral))
  }

  /// The circumference in cm that an average head of this size has.
  package var circumference: Double {
    radius / HeadSize.average.radius * HeadSize.average.circumference
  }
}
