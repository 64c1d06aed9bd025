import Platform

/// Gains over frequency, linear in decibels between their points on a logarithmic axis.
package struct GraphicCurve: Hashable, Sendable {
  /// One point.
  package struct Point: Hashable, Sendable {
    /// Hz.
    package var frequency: Double
    /// dB.
    package var gain: Double
  }

  /// The points by rising frequency, at least one.
  package let points: [Point]

  /// A curve through `points`; `nil` without points, or where a frequency isn't above the one before.
  package init?(_ points: [Point]) {
    guard let first = points.first, first.frequency > 0 else { return nil }
    guard zip(points, points.dropFirst()).allSatisfy({ $0.frequency < $1.frequency }) else {
      return nil
    }
    self.points = points
  }

  /// The gain in dB at `frequency` Hz; beyond the ends that of the last point.
  package func gain(at frequency: Double) -> Double {
    guard frequency > points[0].frequency else { return points[0].gain }
    guard let next = points.firstIndex(where: { $0.frequency >= frequency }) else {
      return points[points.count - 1].gain
    }
    let (low, high) = (points[next - 1], points[next])
    let place = log(frequency / low.frequency) / log(high.frequency / low.frequency)
    return low.gain + place * (high.gain - low.gain)
  }
}
