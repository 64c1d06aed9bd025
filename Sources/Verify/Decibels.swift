import Glibc

/// Levels.
enum Decibels {
  /// 10 log10 of a power ratio, never below −200 dB; 200 over nothing.
  static func power(_ power: Double, over reference: Double) -> Double {
    guard reference > 0 else { return power > 0 ? 200 : -200 }
    return max(-200, 10 * log10(max(power / reference, 1e-20)))
  }

  /// 20 log10 of an amplitude, never below −200 dB.
  static func amplitude(_ value: Double) -> Double { 20 * log10(max(value.magnitude, 1e-10)) }
}
