/// The two complex coefficients that predict a subband from the values two and four slots earlier
/// (TS 103 190-1, 5.7.6.4.1.2 and 5.7.6.4.1.3).
struct LinearPrediction {
  /// Coefficient of the value two slots earlier, α₀ (real, imaginary).
  var first = SIMD2<Float>(0, 0)
  /// Coefficient of the value four slots earlier, α₁.
  var second = SIMD2<Float>(0, 0)

  /// The coefficients for slots 0 up to `end`; both 0 where the prediction isn't usable.
  ///
  /// `real` and `imaginary` must have four slots before slot 0.
  init(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, until end: Int) {
    var phi01 = SIMD2<Float>(0, 0)
    var phi02 = SIMD2<Float>(0, 0)
    var phi12 = SIMD2<Float>(0, 0)
    var phi11: Float = 0
    var phi22: Float = 0
    for slot in stride(from: 0, to: end, by: 2) {
      let x0 = SIMD2(real[slot], imaginary[slot])
      let x1 = SIMD2(real[slot - 2], imaginary[slot - 2])
      let x2 = SIMD2(real[slot - 4], imaginary[slot - 4])
      phi01 += LinearPrediction.product(x0, x1)
      phi02 += LinearPrediction.product(x0, x2)
      phi12 += LinearPrediction.product(x1, x2)
      phi11 += (x1 * x1).sum()
      phi22 += (x2 * x2).sum()
    }
    // The standard's relaxation keeps the determinant away from 0.
    let determinant = phi22 * phi11 - (phi12 * phi12).sum() / (1 + 0x1p-20)
    if determinant != 0 {
      let numerator =
        LinearPrediction.multiplied(phi01, phi12) - phi02 * phi11
      second = numerator / determinant
    }
    if phi11 != 0 {
      // Read literally, the standard has the other sign here; this one solves the normal equations.
      let correction = LinearPrediction.product(second, phi12)
      first = -(phi01 + correction) / phi11
    }
    // Coefficients of 4 and more come from subbands that can't be predicted.
    let usable = (first * first).sum() < 16 && (second * second).sum() < 16
    if !usable {
      first = SIMD2(0, 0)
      second = SIMD2(0, 0)
    }
  }

  /// `left` times the conjugate of `right`.
  @inline(__always)
  private static func product(_ left: SIMD2<Float>, _ right: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(left.x * right.x + left.y * right.y, left.y * right.x - left.x * right.y)
  }

  /// `left` times `right`.
  @inline(__always)
  private static func multiplied(_ left: SIMD2<Float>, _ right: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(left.x * right.x - left.y * right.y, left.x * right.y + left.y * right.x)
  }
}
