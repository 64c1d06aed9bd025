// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Slow resampling in double precision: every output sample is one windowed sum over the input. Weights are kept, since
/// they don't depend on the signal.
package final class SincReference {
  private let rateIn: Int
  private let rateOut: Int
  private let factor: Double
  private let half: Double
  /// For each output sample so far: the first input sample that counts, also before the signal, and the weights from there.
  private var windows: [(first: Int, weights: [Double])] = []

  /// A converter from `rateIn` to `rateOut` Hz.
  package init(from rateIn: Int, to rateOut: Int) {
    self.rateIn = rateIn
    self.rateOut = rateOut
    factor = 0.96 * Double(min(rateIn, rateOut)) / Double(rateIn)
    // The window spans 250 samples of the lower rate, and an even number of input samples.
    half = (125 * max(1, Double(rateIn) / Double(rateOut))).rounded(.up)
  }

  /// `signal` at the new rate; silent before its first and after its last sample.
  package func resample(_ signal: [Float]) -> [Double] {
    let count = (signal.count * rateOut + rateIn - 1) / rateIn
    while windows.count < count { windows.append(window(windows.count)) }
    return windows.prefix(count).map { first, weights in
      let taps = max(0, first)..<max(0, min(signal.count, first + weights.count))
      return taps.reduce(0.0) { $0 + Double(signal[$1]) * weights[$1 - first] }
    }
  }

  private func window(_ index: Int) -> (first: Int, weights: [Double]) {
    let position = Double(index) * Double(rateIn) / Double(rateOut)
    let first = Int((position - half).rounded(.up))
    let last = Int((position + half).rounded(.down))
    let weights = (first...last).map { SincReference.kernel(position - Double($0), factor, half) }
    return (first, weights)
  }

  private static func kernel(_ distance: Double, _ factor: Double, _ half: Double) -> Double {
    let phase = Double.pi * distance * factor
    let sinc = phase == 0 ? 1 : sin(phase) / phase
    let place = distance / half
    return factor * sinc * bessel(14.5 * (1 - min(1, place * place)).squareRoot()) / bessel(14.5)
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
