import Platform

/// Where crosstalk is cancelled, and how it fades to plain passage at both ends.
struct PassBand: Sendable {
  /// Hz over which it fades in.
  let low = 150.0...300.0
  /// Hz over which it fades out.
  let high: ClosedRange<Double>
  /// Hz over which the treble's level is taken.
  let trebleLevel: ClosedRange<Double>
  /// A frequency between both fades.
  var middle: Double { (low.upperBound * high.lowerBound).squareRoot() }

  /// The band below `limit` Hz: half the rate, or the highest frequency of the measurements.
  init(limit: Double) {
    high = min(8000, 0.7 * limit)...min(12000, 0.9 * limit)
    trebleLevel = high.lowerBound...min(16000, 0.85 * limit)
  }

  /// 1 where crosstalk is cancelled, 0 where the signal passes plainly.
  func share(at frequency: Double) -> Double {
    PassBand.rise(frequency, over: low) * (1 - PassBand.rise(frequency, over: high))
  }

  /// Raised cosine in octaves.
  static func rise(_ frequency: Double, over range: ClosedRange<Double>) -> Double {
    if frequency <= range.lowerBound { return 0 }
    if frequency >= range.upperBound { return 1 }
    let part = log(frequency / range.lowerBound) / log(range.upperBound / range.lowerBound)
    return 0.5 - 0.5 * cos(.pi * part)
  }
}
