// SPDX-License-Identifier: Apache-2.0
import Effects
import Foundation

/// The analogue filter that a band stands for, with frequencies as multiples of the band's own.
///
/// Everything is worked out from these two polynomials: the slow reference shares no formula with the code.
struct AnalogueFilter {
  /// Weights of 1, s and s².
  let above: [Double]
  let below: [Double]

  init(_ band: EqualizerBand) {
    let a = pow(10, band.gain / 40)
    let q = AnalogueFilter.quality(band, a)
    let root = a.squareRoot() / q
    switch band.shape {
    case .peak: (above, below) = ([1, a / q, 1], [1, 1 / (a * q), 1])
    case .lowShelf: (above, below) = ([a * a, a * root, a], [1, root, a])
    case .highShelf: (above, below) = ([a, a * root, a * a], [a, root, 1])
    case .lowPass: (above, below) = ([1, 0, 0], [1, 1 / q, 1])
    case .highPass: (above, below) = ([0, 0, 1], [1, 1 / q, 1])
    case .bandPass: (above, below) = ([0, 1 / q, 0], [1, 1 / q, 1])
    case .notch: (above, below) = ([1, 0, 1], [1, 1 / q, 1])
    case .allPass: (above, below) = ([1, -1 / q, 1], [1, 1 / q, 1])
    }
  }

  private static func quality(_ band: EqualizerBand, _ a: Double) -> Double {
    switch band.width {
    case .quality(let q): return q
    case .slope(let slope): return 1 / ((a + 1 / a) * (1 / slope - 1) + 2).squareRoot()
    // Only for bands far below half of the rate, where the bilinear transform narrows nothing.
    case .octaves(let octaves): return 1 / (2 * sinh(log(2) / 2 * octaves))
    }
  }

  /// Gain in dB at `frequency` Hz of the digital filter that the bilinear transform makes for `band` at `rate` Hz.
  func level(at frequency: Double, _ band: EqualizerBand, rate: Double) -> Double {
    let s = tan(.pi * frequency / rate) / tan(.pi * band.frequency / rate)
    func magnitude(_ weights: [Double]) -> Double {
      hypot(weights[0] - weights[2] * s * s, weights[1] * s)
    }
    return 20 * log10(magnitude(above) / magnitude(below))
  }

  /// `signal` through the digital filter for `band` at `rate` Hz, in double precision, by states that nothing is
  /// shared with.
  func run(_ signal: [Double], _ band: EqualizerBand, rate: Double) -> [Double] {
    let k = 1 / tan(.pi * band.frequency / rate)
    // 1, s and s² with s = k (1 − z) / (1 + z), all times (1 + z)².
    func digital(_ weights: [Double]) -> [Double] {
      let (one, s, square) = (weights[0], weights[1] * k, weights[2] * k * k)
      return [one + s + square, 2 * one - 2 * square, one - s + square]
    }
    let (b, a) = (digital(above), digital(below))
    var (first, second) = (0.0, 0.0)
    return signal.map { x in
      let y = (b[0] * x + first) / a[0]
      first = b[1] * x - a[1] * y + second
      second = b[2] * x - a[2] * y
      return y
    }
  }
}

/// Gain in dB of `biquad` at `frequency` Hz.
func level(of biquad: Biquad, at frequency: Double, rate: Double) -> Double {
  let turn = 2 * .pi * frequency / rate
  func magnitude(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
    hypot(
      c0 + c1 * cos(turn) + c2 * cos(2 * turn), c1 * sin(turn) + c2 * sin(2 * turn))
  }
  return 20 * log10(magnitude(biquad.b0, biquad.b1, biquad.b2) / magnitude(1, biquad.a1, biquad.a2))
}
