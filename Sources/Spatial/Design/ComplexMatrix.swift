// SPDX-License-Identifier: Apache-2.0
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
  var conjugate: Complex { Complex(re, -im) }
  /// One divided by this number, which isn't 0.
  var reciprocal: Complex { Complex(re / power, -im / power) }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }
  static func * (a: Double, b: Complex) -> Complex { Complex(a * b.re, a * b.im) }
}

/// A 2 × 2 matrix of complex numbers: rows are outputs, columns are inputs (left, right).
struct ComplexMatrix: Sendable {
  /// From left to left.
  var ll: Complex
  /// From right to left.
  var lr: Complex
  /// From left to right.
  var rl: Complex
  /// From right to right.
  var rr: Complex

  /// `gain` times the unit matrix.
  static func unit(_ gain: Double) -> ComplexMatrix {
    ComplexMatrix(ll: Complex(gain), lr: Complex(0), rl: Complex(0), rr: Complex(gain))
  }

  /// Conjugate transpose.
  var adjoint: ComplexMatrix {
    ComplexMatrix(ll: ll.conjugate, lr: rl.conjugate, rl: lr.conjugate, rr: rr.conjugate)
  }

  /// Sum of the squared magnitudes, that is of both squared singular values.
  var power: Double { ll.power + lr.power + rl.power + rr.power }

  /// The singular values, the larger first.
  var singularValues: (Double, Double) {
    let squares = (adjoint * self).eigenvalues
    return (squares.0.squareRoot(), squares.1.squareRoot())
  }

  /// All entries turned by `angle` radians.
  func turned(by angle: Double) -> ComplexMatrix {
    guard angle != 0 else { return self }
    let phase = Complex.phase(angle)
    return ComplexMatrix(ll: phase * ll, lr: phase * lr, rl: phase * rl, rr: phase * rr)
  }

  /// `self` with each singular value σ brought to σ · `gain`(σ), its vectors kept.
  func scaled(_ gain: (Double) -> Double) -> ComplexMatrix {
    self * (adjoint * self).mapped { gain($0.squareRoot()) }
  }

  /// The inverse with each singular value 1/σ brought to `gain`(σ).
  func inverted(_ gain: (Double) -> Double) -> ComplexMatrix {
    (adjoint * self).mapped { gain($0.squareRoot()) / max($0.squareRoot(), 1e-12) } * adjoint
  }

  /// Eigenvalues of a Hermitian matrix without negative ones, the larger first.
  private var eigenvalues: (Double, Double) {
    let mean = (ll.re + rr.re) / 2
    let half = (ll.re - rr.re) / 2
    let spread = (half * half + lr.power).squareRoot()
    let large = mean + spread
    // The smaller eigenvalue is the determinant divided by the larger one, because mean − spread
    // would lose its digits.
    let product = max(0, ll.re * rr.re - lr.power)
    return (large, large > 0 ? product / large : 0)
  }

  /// A function of a Hermitian matrix: f(M) = αI + βM takes the right values at both eigenvalues.
  private func mapped(_ function: (Double) -> Double) -> ComplexMatrix {
    let (large, small) = eigenvalues
    let high = function(large)
    guard large - small > 1e-12 * large else { return ComplexMatrix.unit(high) }
    let slope = (high - function(small)) / (large - small)
    return ComplexMatrix.unit(high - slope * large) + slope * self
  }

  static func + (a: ComplexMatrix, b: ComplexMatrix) -> ComplexMatrix {
    ComplexMatrix(ll: a.ll + b.ll, lr: a.lr + b.lr, rl: a.rl + b.rl, rr: a.rr + b.rr)
  }
  static func * (a: Double, b: ComplexMatrix) -> ComplexMatrix {
    ComplexMatrix(ll: a * b.ll, lr: a * b.lr, rl: a * b.rl, rr: a * b.rr)
  }
  static func * (a: ComplexMatrix, b: ComplexMatrix) -> ComplexMatrix {
    ComplexMatrix(
      ll: a.ll * b.ll + a.lr * b.rl, lr: a.ll * b.lr + a.lr * b.rr,
      rl: a.rl * b.ll + a.rr * b.rl, rr: a.rl * b.lr + a.rr * b.rr)
  }
}
