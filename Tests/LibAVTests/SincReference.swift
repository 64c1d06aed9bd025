import Foundation

/// Slow resampling in double precision: every output sample is one windowed sum over the input.
enum SincReference {
  /// `signal` at rate `out`; silent before its first and after its last sample.
  static func resample(_ signal: [Float], from rateIn: Int, to rateOut: Int) -> [Double] {
    let count = (signal.count * rateOut + rateIn - 1) / rateIn
    let factor = 0.9535 * Double(min(rateIn, rateOut)) / Double(rateIn)
    // The window spans an even number of input samples.
    let half = (168 / factor / 2).rounded(.up)
    return (0..<count).map { index in
      let position = Double(index) * Double(rateIn) / Double(rateOut)
      let first = max(0, Int((position - half).rounded(.up)))
      let last = min(signal.count - 1, Int((position + half).rounded(.down)))
      guard first <= last else { return 0 }
      return (first...last).reduce(0.0) { sum, tap in
        let distance = position - Double(tap)
        return sum + Double(signal[tap]) * kernel(distance, factor, half)
      }
    }
  }

  private static func kernel(_ distance: Double, _ factor: Double, _ half: Double) -> Double {
    let phase = Double.pi * distance * factor
    let sinc = phase == 0 ? 1 : sin(phase) / phase
    let place = distance / half
    return factor * sinc * bessel(10.2 * (1 - min(1, place * place)).squareRoot()) / bessel(10.2)
  }

  /// The modified Bessel function of the first kind and order 0.
  private static func bessel(_ value: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > 1e-18 * sum {
      term *= value * value / (4 * index * index)
      sum += term
      index += 1
    }
    return sum
  }
}
