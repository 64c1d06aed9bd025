/// Linear gains, one for each loudspeaker.
enum GainVector {
  /// The square root of the sum of squares.
  static func norm(_ gains: [Double]) -> Double {
    gains.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// The gains at a power of 1; silence stays silence.
  static func normalised(_ gains: [Double]) -> [Double] {
    let size = norm(gains)
    return size > 0 ? gains.map { $0 / size } : gains
  }

  /// Gains whose power is the weighted sum of the powers of `parts`.
  static func powerSum(_ parts: [(weight: Double, gains: [Double])]) -> [Double] {
    guard let first = parts.first else { return [] }
    var powers = [Double](repeating: 0, count: first.gains.count)
    for part in parts {
      for (index, gain) in part.gains.enumerated() { powers[index] += part.weight * gain * gain }
    }
    return powers.map { $0.squareRoot() }
  }
}
