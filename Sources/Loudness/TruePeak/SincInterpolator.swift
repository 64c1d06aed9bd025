import CKernels
import Platform

/// An eightfold interpolator: a windowed sinc, `2 * halfWidth` taps per phase.
final class SincInterpolator {
  /// Samples used from the interval's end on; as many up to its start.
  private let halfWidth: Int
  /// Largest sum of tap magnitudes of a phase: no output exceeds the largest input times this.
  let largestNorm: Float
  /// Taps of the eight phases for each input, oldest input first.
  private let taps: UnsafeMutablePointer<SIMD8<Float>>

  /// 64 Kaiser-windowed taps, good to 0.48 of the sample rate.
  static func sharp() -> SincInterpolator {
    let beta = 5.0
    return SincInterpolator(halfWidth: 32, isNormalized: true) { reach in
      bessel(beta * (1 - reach * reach).squareRoot()) / bessel(beta)
    }
  }

  /// 12 Hann-windowed taps, as in the most widely used true-peak meters (libebur128). Near the band
  /// edge such short filters read higher than the signal is.
  static func short() -> SincInterpolator {
    SincInterpolator(halfWidth: Int(CK_BRIEF_TAPS) / 2, isNormalized: false) { reach in
      0.5 + 0.5 * cos(.pi * reach)
    }
  }

  /// Computes the taps from a window over −1…1; `isNormalized` makes each phase pass a constant
  /// unchanged.
  private init(halfWidth: Int, isNormalized: Bool, window: (Double) -> Double) {
    self.halfWidth = halfWidth
    let count = 2 * halfWidth
    taps = .allocate(capacity: count)
    taps.initialize(repeating: SIMD8<Float>(), count: count)
    var largest = 0.0
    for phase in 0..<8 {
      let values = (0..<count).map { index -> Double in
        let time = Double(phase) / 8 - Double(index - halfWidth + 1)
        let reach = time / Double(halfWidth)
        guard reach.magnitude < 1 else { return 0 }
        return (time == 0 ? 1 : sin(.pi * time) / (.pi * time)) * window(reach)
      }
      let sum = isNormalized ? values.reduce(0, +) : 1
      for (index, value) in values.enumerated() { taps[index][phase] = Float(value / sum) }
      largest = max(largest, values.reduce(0) { $0 + ($1 / sum).magnitude })
    }
    largestNorm = Float(largest * 1.0001)
  }

  deinit { taps.deallocate() }

  /// The taps one after the other.
  var base: UnsafePointer<Float> {
    UnsafePointer(UnsafeMutableRawPointer(taps).assumingMemoryBound(to: Float.self))
  }

  /// Modified Bessel function of the first kind and order zero, by its power series.
  private static func bessel(_ argument: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for order in 1...40 {
      let factor = argument / (2 * Double(order))
      term *= factor * factor
      sum += term
    }
    return sum
  }
}
