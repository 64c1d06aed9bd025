// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A tone's amplitude and phase.
package enum Phasor {
  /// The tone of `frequency` Hz in samples at 48 kHz, under von Hann's window.
  package static func of(_ samples: [Float], _ frequency: Double) -> SIMD2<Double> {
    let count = Double(samples.count)
    return sum(samples.count, frequency) { index in
      Double(samples[index]) * (1 - cos(2 * .pi * (Double(index) + 0.5) / count)) * 2 / count
    }
  }

  /// The response of a filter.
  package static func of(taps: [Double], _ frequency: Double) -> SIMD2<Double> {
    sum(taps.count, frequency) { taps[$0] }
  }

  /// The level of the left ear over that of the right one, dB, and its phase before that of the right one, rad, of
  /// the tone of `frequency` Hz in many sources that are heard through filters, each with the taps of both ears; a
  /// source without any isn't heard.
  package static func betweenEars(
    _ sources: [[Float]], _ filters: [[[Double]]?], _ frequency: Double
  ) -> (level: Double, phase: Double) {
    var sums = [SIMD2<Double>.zero, .zero]
    for (source, ears) in zip(sources, filters) {
      guard let ears else { continue }
      let tone = of(source, frequency)
      for (ear, taps) in ears.enumerated() {
        sums[ear] += product(tone, of(taps: taps, frequency))
      }
    }
    let level = 10 * log10((sums[0] * sums[0]).sum() / (sums[1] * sums[1]).sum())
    return (level, angle(sums[0]) - angle(sums[1]))
  }

  private static func product(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(one.x * other.x - one.y * other.y, one.x * other.y + one.y * other.x)
  }

  private static func angle(_ value: SIMD2<Double>) -> Double { atan2(value.y, value.x) }

  private static func sum(
    _ count: Int, _ frequency: Double, _ value: (Int) -> Double
  ) -> SIMD2<Double> {
    (0..<count).reduce(into: SIMD2<Double>()) { sum, index in
      let angle = -2 * .pi * frequency / 48_000 * Double(index)
      sum += SIMD2(cos(angle), sin(angle)) * value(index)
    }
  }
}
