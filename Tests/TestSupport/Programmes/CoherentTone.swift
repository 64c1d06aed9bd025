// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A sine of a whole number of Hz, and its measurement in exactly one second of a signal: all its periods are whole there, so
/// that a plain DFT has it in one line, without a window.
package struct CoherentTone: Sendable {
  /// Frequency in Hz.
  package let frequency: Int
  /// The tone's peak: −6 dBFS, so that no filter's overshoot is cut anywhere.
  package static let amplitude = 0.5

  /// The tone at `frequency` Hz.
  package init(frequency: Int) { self.frequency = frequency }

  /// The tone at the first prime number of Hz from `least` on. Rounding errors of a tone that shares factors with the rate
  /// repeat and gather in few lines, which look like images; those of a prime are spread like noise.
  package init(primeFrom least: Int) {
    var frequency = max(2, least)
    while frequency > 2,
      (2...Int(Double(frequency).squareRoot())).contains(where: { frequency % $0 == 0 })
    {
      frequency += 1
    }
    self.frequency = frequency
  }

  /// `seconds` of the tone at `rate` Hz.
  package func samples(rate: Int, seconds: Double) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { index in
      Float(CoherentTone.amplitude * sin(CoherentTone.angle(frequency * index, rate) + 0.3))
    }
  }

  /// Levels in dB of the tone and of everything else in `second`, whose number of samples is its rate; 0 dB is ``amplitude``.
  package func levels(in second: ArraySlice<Float>) -> (tone: Double, rest: Double) {
    let line = CoherentTone.line(frequency, of: second)
    let rate = second.count
    var power = 0.0
    for (index, value) in second.enumerated() {
      let angle = CoherentTone.angle(frequency * index, rate)
      let rest = Double(value) - line.x * cos(angle) - line.y * sin(angle)
      power += rest * rest
    }
    let scale = CoherentTone.amplitude * CoherentTone.amplitude * Double(rate) / 2
    return (level(line), 10 * log10(power / scale + 1e-30))
  }

  /// Level in dB of the line at `other` Hz in `second`; 0 dB is ``amplitude``.
  package func level(at other: Int, in second: ArraySlice<Float>) -> Double {
    level(CoherentTone.line(other, of: second))
  }

  private func level(_ line: SIMD2<Double>) -> Double {
    10 * log10((line * line).sum() / (CoherentTone.amplitude * CoherentTone.amplitude) + 1e-30)
  }

  /// Amplitudes of cosine and sine at `frequency` Hz: one line of the DFT by its definition.
  private static func line(_ frequency: Int, of second: ArraySlice<Float>) -> SIMD2<Double> {
    let rate = second.count
    var sum = SIMD2<Double>.zero
    for (index, value) in second.enumerated() {
      let angle = angle(frequency * index, rate)
      sum += Double(value) * SIMD2(cos(angle), sin(angle))
    }
    return 2 / Double(rate) * sum
  }

  /// 2π · `turns` / `rate`, by the remainder, which is exact.
  private static func angle(_ turns: Int, _ rate: Int) -> Double {
    2 * .pi * Double(turns % rate) / Double(rate)
  }
}
