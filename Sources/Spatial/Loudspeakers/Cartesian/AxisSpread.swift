import Platform

/// How an extent along one axis of the room reaches the loudspeakers' steps (ITU-R BS.2127-1, 7.3).
struct AxisSpread: Sendable {
  /// What a step gets.
  struct Share {
    /// Of the whole extent.
    var sum: Double
    /// Of both ends of the axis.
    var bounds: Double
  }

  /// Sums below this are silence.
  private static let least = pow(10, -6.5)

  /// Points along the axis.
  let points: [Double]
  private let taper: [Double]
  /// Gains of the steps at the points, step by step.
  private let gains: [Double]
  private let steps: Int
  private let isVertical: Bool

  /// Samples `steps` at `count` points from `first` to 1; `isVertical` for Z.
  init(_ steps: [AxisStep], count: Int, from first: Double, isVertical: Bool) {
    let points = (0..<count).map { first + (1 - first) * Double($0) / Double(count - 1) }
    self.points = points
    self.steps = steps.count
    self.isVertical = isVertical
    taper = points.map { isVertical ? cos($0 * 3 * .pi / 7) : 1 }
    gains = steps.flatMap { step in points.map { step.gain(at: $0) } }
  }

  /// The extent's size in the formulas for a share of the room, 0…1; no smaller than two points apart.
  func size(of share: Double) -> Double {
    let table = [(0.0, 0.0), (0.2, 0.3), (0.5, 1.0), (0.75, 1.8), (1.0, 2.8)].map { (x: $0, y: $1) }
    return max(RoomGeometry.interpolate(min(share, 1), table), 2 / Double(points.count - 1))
  }

  /// What each step gets of an extent of `size` around `centre`, to the power of `exponent`.
  func shares(around centre: Double, size: Double, exponent: Double) -> [Share] {
    let width = isVertical ? size : 2 * size
    let weights = zip(points, taper).map { point, taper in
      let offset = 1.5 * (point - centre) / width
      let square = offset * offset
      return pow(10, -min(square * square, 6.5)) * taper
    }
    return (0..<steps).map { step in
      let first = step * points.count
      var share = Share(sum: 0, bounds: 0)
      for (index, weight) in weights.enumerated() {
        let value = AxisSpread.power(gains[first + index] * weight, exponent)
        share.sum += value
        if index == 0 || index == weights.count - 1 { share.bounds += value }
      }
      if share.sum < AxisSpread.least { share.sum = 0 }
      return share
    }
  }

  private static func power(_ value: Double, _ exponent: Double) -> Double {
    // Most extents have the exponent 6, for which products are faster.
    guard exponent == 6 else { return value > 0 ? pow(value, exponent) : 0 }
    let square = value * value
    return square * square * square
  }
}
