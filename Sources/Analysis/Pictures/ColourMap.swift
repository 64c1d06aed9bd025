import Platform

/// Colours for levels, from near black by violet, red and orange to pale yellow, in steps that look even.
///
/// The lightness of Oklab (B. Ottosson, 2020) rises evenly, so that the map tells levels apart in print and for
/// the colour-blind, too; hue and saturation only help.
package enum ColourMap {
  /// Number of colours.
  package static let count = 256

  /// The colours, darkest first.
  package static let colours: [Colour] = (0..<count).map { index in
    let place = Double(index) / Double(count - 1)
    let position = place * Double(knots.count - 1)
    let first = min(knots.count - 2, Int(position))
    let part = position - Double(first)
    let (low, high) = (knots[first], knots[first + 1])
    let lightness = lightest.low + place * (lightest.high - lightest.low)
    return colour(
      lightness, low.a + part * (high.a - low.a), low.b + part * (high.b - low.b))
  }

  /// The colour of a level of `share` of the range, 0…1; levels outside get the nearest one.
  package static func colour(_ share: Double) -> Colour {
    let index = (min(1, max(0, share)) * Double(count - 1)).rounded()
    return colours[share.isNaN ? 0 : Int(index)]
  }

  /// Lightness of the first and the last colour.
  private static let lightest = (low: 0.13, high: 0.97)

  /// Green to red (a) and blue to yellow (b) of Oklab at equal distances. They were chosen by eye inside what
  /// sRGB can show.
  private static let knots: [(a: Double, b: Double)] = [
    (0.000, -0.030), (0.045, -0.095), (0.095, -0.110), (0.140, -0.060), (0.165, 0.010),
    (0.155, 0.080), (0.115, 0.130), (0.055, 0.150), (0.000, 0.140), (-0.020, 0.060),
  ]

  /// The sRGB colour of Oklab values.
  private static func colour(_ lightness: Double, _ a: Double, _ b: Double) -> Colour {
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return Colour(
      byte(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
      byte(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
      byte(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3))
  }

  /// A part of linear light as a byte of sRGB (IEC 61966-2-1).
  private static func byte(_ linear: Double) -> UInt8 {
    let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    return UInt8(min(255, max(0, (value * 255).rounded())))
  }
}
