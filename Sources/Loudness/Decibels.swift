#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Conversions between linear ratios, powers and the units of loudness.
enum Decibels {
  /// Amplitude ratio of a level in dB.
  static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// Level in dB of an amplitude ratio above zero.
  static func level(_ amplitude: Double) -> Double { 20 * log10(amplitude) }

  /// Level of a peak in dBFS or dBTP; `nil` for digital silence.
  static func peakLevel(_ amplitude: Float) -> Double? {
    guard amplitude > 0 else { return nil }
    return level(Double(min(amplitude, .greatestFiniteMagnitude)))
  }

  /// Loudness in LUFS of a weighted mean square (ITU-R BS.1770-5, Annex 1, equation 2); `nil` for
  /// zero.
  static func loudness(_ meanSquare: Double) -> Double? {
    guard meanSquare > 0 else { return nil }
    return loudnessOffset + 10 * log10(meanSquare)
  }

  /// Weighted mean square of a loudness in LUFS.
  static func meanSquare(_ loudness: Double) -> Double {
    pow(10, (loudness - loudnessOffset) / 10)
  }

  /// A figure with two decimals for messages.
  static func text(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "\(value)" }
    let hundredths = Int((value.magnitude * 100).rounded())
    let fraction = hundredths % 100
    let sign = value < 0 && hundredths > 0 ? "-" : ""
    return "\(sign)\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// Makes a 997 Hz tone at full scale in one front channel read −3.01 LUFS.
  private static let loudnessOffset = -0.691
}
