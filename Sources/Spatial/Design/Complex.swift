import Platform

/// A complex number in Double, as far as filter design needs it.
struct Complex: Sendable, Equatable {
  /// Real part.
  var re: Double
  /// Imaginary part.
  var im: Double

  /// A number from its parts.
  init(_ re: Double, _ im: Double = 0) {
    self.re = re
    self.im = im
  }

  /// The number of magnitude 1 at `angle` radians.
  static func phase(_ angle: Double) -> Complex { Complex(cos(angle), sin(angle)) }

  /// Square of the magnitude.
  var power: Double { re * re + im * im }
  /// The conjugate.
  var conjugate: Complex { Complex(re, -im) }
  /// One divided by this number, which isn't 0.
  var reciprocal: Complex { Complex(re / power, -im / power) }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }
  static func * (a: Double, b: Complex) -> Complex { Complex(a * b.re, a * b.im) }
}
