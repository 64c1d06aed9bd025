import Platform

/// How a surface of a room reflects sound: through a first-order shelf between two absorption
/// coefficients.
///
/// The coefficients are typical published ones (T. J. Cox, P. D'Antonio: "Acoustic Absorbers and
/// Diffusers", appendix A), those at 125…250 Hz and at 2…4 kHz.
struct Surface: Sendable, Equatable {
  /// Part of the energy absorbed at low frequencies, 0…1.
  var lowAbsorption: Double
  /// Part of the energy absorbed at high frequencies, 0…1.
  var highAbsorption: Double

  /// Corner between low and high, Hz: carpets, curtains and tiles reach half of their highest
  /// absorption between 300 Hz and 1 kHz.
  static let corner = 500.0

  /// Heavy carpet on concrete: 0.02 at 125 Hz, 0.06 at 250 Hz, 0.60 at 2 kHz, 0.65 at 4 kHz.
  static let carpet = Surface(lowAbsorption: 0.04, highAbsorption: 0.65)
  /// Heavy velour draped to half its area: 0.14, 0.35, 0.70, 0.65.
  static let curtain = Surface(lowAbsorption: 0.2, highAbsorption: 0.7)
  /// Wood-fibre tiles: 0.15, 0.40, 0.80, 0.80.
  static let tiles = Surface(lowAbsorption: 0.25, highAbsorption: 0.8)

  /// A first-order shelf in terms of a one-pole low-pass.
  struct Shelf {
    /// The pole of the low-pass.
    var pole: Double
    /// Gain of what passes the low-pass.
    var low: Double
    /// Gain of the rest.
    var high: Double
  }

  /// Part of the energy that it reflects at `frequency` Hz, 0…1, as its filter at `rate` Hz does.
  func reflectance(at frequency: Double, rate: Int) -> Double {
    let shelf = shelf(rate: rate)
    let angle = 2 * Double.pi * frequency / Double(rate)
    let (re, im) = (1 - shelf.pole * cos(angle), shelf.pole * sin(angle))
    let part = (shelf.low - shelf.high) * (1 - shelf.pole) / (re * re + im * im)
    let (sumRe, sumIm) = (shelf.high + part * re, part * im)
    return sumRe * sumRe + sumIm * sumIm
  }

  /// The shelf between √(1 − absorption), low and high, at `rate` Hz.
  func shelf(rate: Int) -> Shelf {
    Shelf(
      pole: exp(-2 * .pi * Surface.corner / Double(rate)),
      low: (1 - lowAbsorption).squareRoot(), high: (1 - highAbsorption).squareRoot())
  }
}
