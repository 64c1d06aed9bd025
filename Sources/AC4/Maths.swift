// SPDX-License-Identifier: Apache-2.0
import Platform

/// Elementary functions for the decoder of AC-4: Platform alone imports the C library.
enum Maths {
  /// 2 to the power of `exponent`, which is limited to ±`limit`: damaged levels stay finite, with 2³² left for products below
  /// Float's 2¹²⁸.
  static func power2(_ exponent: Float, limit: Float = 96) -> Float {
    exp2f(min(max(exponent, -limit), limit))
  }

  /// `base` ≥ 0 to the power of `exponent`.
  static func power(_ base: Float, _ exponent: Float) -> Float { powf(base, exponent) }

  /// The amplitude factor of `value` dB.
  static func decibels(_ value: Double) -> Double { pow(10, value / 20) }

  /// Decimal logarithm.
  static func log10(_ value: Float) -> Float { log10f(value) }

  /// Binary logarithm.
  static func log2(_ value: Float) -> Float { log2f(value) }

  /// `value` to the power of 4/3, the inverse quantiser of spectral lines.
  static func fourThirds(_ value: Double) -> Double { pow(value, 4.0 / 3) }

  /// 2 to the power of `exponent`.
  static func power2(_ exponent: Double) -> Double { exp2(exponent) }
}
