// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Conversions between decibels, amplitude ratios and power ratios.
package enum Decibels {
  /// Amplitude ratio of a level or gain in dB.
  @inlinable
  package static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// Level in dB of an amplitude ratio above zero.
  @inlinable
  package static func level(_ amplitude: Double) -> Double { 20 * log10(amplitude) }

  /// Level in dB of an amplitude ratio, never below −200 dB.
  package static func boundedLevel(_ amplitude: Double) -> Double {
    20 * log10(max(amplitude.magnitude, 1e-10))
  }

  /// Level in dB of the power ratio `power / reference`, never below −200 dB. When `reference` is zero it
  /// is 200, or −200 when `power` is zero, too.
  package static func boundedLevel(power: Double, over reference: Double) -> Double {
    guard reference > 0 else { return power > 0 ? 200 : -200 }
    return max(-200, 10 * log10(max(power / reference, 1e-20)))
  }

  /// Level of a peak in dBFS or dBTP; `nil` for digital silence. An infinite peak counts as the greatest
  /// finite one.
  package static func peakLevel(_ amplitude: Float) -> Double? {
    guard amplitude > 0 else { return nil }
    return level(Double(min(amplitude, .greatestFiniteMagnitude)))
  }

  /// `value` with two decimals for messages, e.g. `8.10` or `-1.00`. Values that aren't finite or reach
  /// 1e9 are printed as Swift does.
  package static func text(_ value: Double) -> String {
    value.fixed(2, below: 1e9) ?? "\(value)"
  }

  /// `value` as ``text(_:)`` prints it, with a plus sign unless it is negative, e.g. `+8.10`.
  package static func signedText(_ value: Double) -> String {
    let plain = text(value)
    return plain.hasPrefix("-") ? plain : "+" + plain
  }
}
