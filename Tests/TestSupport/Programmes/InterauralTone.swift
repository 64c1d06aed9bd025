// SPDX-License-Identifier: Apache-2.0
import Platform

/// One tone at two ears.
package struct InterauralTone: Sendable {
  /// Level of the left ear over that of the right one, dB.
  package let level: Double
  /// Phase of the left ear before that of the right one, rad, −π…π.
  package let phase: Double
  /// Power of both ears together, dB of a sine of amplitude 1 in one ear.
  package let power: Double

  /// The tone of `frequency` Hz in a stereo signal, under a window over all of it (von Hann's). Other tones that
  /// lie some ten periods of the signal's length away play no part.
  package init(_ ears: [[Float]], frequency: Double, rate: Double = 48_000) {
    let count = Double(ears[0].count)
    self.init(
      ears.map { samples in
        InterauralTone.sum(samples.count, frequency / rate) { index in
          Double(samples[index]) * (1 - cos(2 * .pi * (Double(index) + 0.5) / count)) * 2 / count
        }
      })
  }

  /// The output of filters for the left and the right ear for a tone of `frequency` Hz.
  package init(
    left: [Double], right: [Double], frequency: Double, rate: Double = 48_000
  ) {
    self.init(
      [left, right].map { taps in
        InterauralTone.sum(taps.count, frequency / rate) { taps[$0] }
      })
  }

  private init(_ ears: [SIMD2<Double>]) {
    let powers = ears.map { ($0 * $0).sum() }
    level = 10 * log10(powers[0] / powers[1])
    power = 10 * log10(powers[0] + powers[1])
    phase = InterauralTone.wrapped(atan2(ears[0].y, ears[0].x) - atan2(ears[1].y, ears[1].x))
  }

  /// How far two phases lie apart, 0…π.
  package static func gap(_ one: Double, _ other: Double) -> Double {
    wrapped(one - other).magnitude
  }

  private static func wrapped(_ angle: Double) -> Double { atan2(sin(angle), cos(angle)) }

  /// Real and imaginary part at `turns` periods per sample.
  private static func sum(
    _ count: Int, _ turns: Double, _ value: (Int) -> Double
  ) -> SIMD2<Double> {
    (0..<count).reduce(into: SIMD2<Double>()) { sum, index in
      let angle = -2 * .pi * turns * Double(index)
      sum += SIMD2(cos(angle), sin(angle)) * value(index)
    }
  }
}
