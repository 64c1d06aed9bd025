import Platform

/// Conversions between weighted mean squares and LUFS (ITU-R BS.1770-5, Annex 1, equation 2).
enum LoudnessScale {
  /// Loudness in LUFS of a weighted mean square; `nil` for zero.
  static func loudness(_ meanSquare: Double) -> Double? {
    guard meanSquare > 0 else { return nil }
    return offset + 10 * log10(meanSquare)
  }

  /// Weighted mean square of a loudness in LUFS.
  static func meanSquare(_ loudness: Double) -> Double { pow(10, (loudness - offset) / 10) }

  /// Makes a 997 Hz tone at full scale in one front channel read −3.01 LUFS.
  private static let offset = -0.691
}
