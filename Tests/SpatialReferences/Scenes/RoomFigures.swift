// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

@testable import Spatial

/// The compared figures of two ears' spectra at 48 kHz.
struct RoomFigures {
  /// Middles of thirds of octaves in Hz.
  static let centers: [Double] = (0...20).map { 125 * pow(2, Double($0) / 3) }

  /// Power of both ears in dB.
  let energy: Double
  /// How much louder the left ear is, in dB.
  let side: Double
  /// Levels in dB of each ear's thirds of octaves.
  let bands: [[Double]]
  /// Microseconds by which the right ear lags the left one below 1.5 kHz, by their cross-correlation.
  let lag: Double

  /// Figures of `ears`.
  init(_ ears: [Spectrum]) {
    let width = 24000 / Double(ears[0].count - 1)
    func power(_ ear: Spectrum, _ low: Double, _ high: Double) -> Double {
      let bins = Int(low / width)...Int(min(20000, high) / width)
      return bins.reduce(0.0) { (sum: Double, bin: Int) -> Double in
        let (re, im) = (ear.re[bin], ear.im[bin])
        return sum + re * re + im * im
      }
    }
    let powers = ears.map { power($0, 20, 20000) }
    energy = 10 * log10(powers[0] + powers[1])
    side = 10 * log10(powers[0] / powers[1])
    bands = ears.map { ear in
      RoomFigures.centers.map { 10 * log10(power(ear, $0 * 0.891, $0 * 1.122)) }
    }
    lag = RoomFigures.lag(ears, bins: 1...Int(1500 / width))
  }

  private static func lag(_ ears: [Spectrum], bins: ClosedRange<Int>) -> Double {
    let step = Double.pi / Double(ears[0].count - 1)
    var best = (value: -Double.infinity, lag: 0.0)
    for tenth in -450...450 {
      let lag = Double(tenth) / 10
      var sum = 0.0
      for bin in bins {
        let (a, b) = (ears[0].re[bin], ears[0].im[bin])
        let (c, d) = (ears[1].re[bin], ears[1].im[bin])
        let angle = step * Double(bin) * lag
        sum += (a * c + b * d) * cos(angle) + (a * d - b * c) * -sin(angle)
      }
      if sum > best.value { best = (sum, lag) }
    }
    return best.lag / 48000 * 1e6
  }
}
