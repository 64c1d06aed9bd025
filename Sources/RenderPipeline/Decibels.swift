import Glibc

/// Conversions and figures in decibels.
enum Decibels {
  /// The amplitude factor of a gain in dB.
  static func factor(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The level of an amplitude above 0, in dB.
  static func level(_ amplitude: Float) -> Double { 20 * log10(Double(amplitude)) }

  /// A gain or level with sign and two digits after the point, e.g. `+8.10`.
  static func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let digits = String(hundredths.magnitude % 100 + 100).dropFirst()
    return (hundredths < 0 ? "-" : "+") + "\(hundredths.magnitude / 100).\(digits)"
  }
}
