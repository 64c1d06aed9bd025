// SPDX-License-Identifier: Apache-2.0
import Loudness

/// Logarithm and power by + − × ÷ alone: the C library's differ between machines in the last place, and what is compared with
/// a threshold must not.
package enum PlainMaths {
  /// Decibels of a factor of two in power.
  private static let octave = 3.0102999566398120

  /// Logarithm to base 2 of a finite value above zero. The error is below 2e−9.
  package static func log2(_ value: Double) -> Double {
    var mantissa = value.significand * 0.5
    var exponent = Double(value.exponent + 1)
    // The mantissa lies around 1, from √½ to √2, where the series is short.
    if mantissa < 0.7071067811865476 {
      mantissa *= 2
      exponent -= 1
    }
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    var series = 1.0 / 9 + square / 11
    series = 1.0 / 7 + square * series
    series = 1.0 / 5 + square * series
    series = 1.0 / 3 + square * series
    return exponent + t * (1 + square * series) * 2.8853900817779268
  }

  /// 2 to the power of `exponent`, which lies between −1000 and 1000. The relative error is below 1e−15.
  package static func exp2(_ exponent: Double) -> Double {
    let whole = exponent.rounded()
    let power = (exponent - whole) * 0.6931471805599453
    var series = 1.0
    // The last term is below 1e−17 at half an octave.
    for order in stride(from: 14, through: 1, by: -1) {
      series = 1 + series * power / Double(order)
    }
    return Double(sign: .plus, exponent: Int(whole), significand: series)
  }

  /// Level in dB of a power above zero.
  package static func decibels(power: Double) -> Double { octave * log2(power) }

  /// Loudness in LUFS of a weighted mean square (ITU-R BS.1770-5, Annex 1), at least −150.691.
  package static func loudness(_ meanSquare: Double) -> Double {
    LoudnessScale.offset + decibels(power: max(meanSquare, 1e-15))
  }

  /// Power ratio of a gain in dB.
  package static func power(decibels: Double) -> Double { exp2(decibels / octave) }

  /// Amplitude ratio of a gain in dB.
  package static func amplitude(decibels: Double) -> Double { exp2(decibels / (2 * octave)) }
}
