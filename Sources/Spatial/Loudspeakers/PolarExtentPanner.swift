// SPDX-License-Identifier: Apache-2.0
import Platform

/// Pans an object of a width and a height by its direction (ITU-R BS.2127-1, 7.3).
struct PolarExtentPanner: Sendable {
  private let panner: PointSourcePanner
  /// Points on the sphere, 5° apart.
  private let points: [SIMD3<Double>]
  /// Gains of the points, ``PointSourcePanner/count`` of each, one after the other.
  private let gains: [Double]

  /// A panner that extends `panner`.
  init(_ panner: PointSourcePanner) {
    self.panner = panner
    points = (-18...18).flatMap { row -> [SIMD3<Double>] in
      let elevation = 5 * Double(row)
      let width = 72 * cos(elevation * .pi / 180)
      let count = max(1, Int(width.rounded(.toNearestOrEven)))
      return (0..<count).map {
        RoomGeometry.point(azimuth: 360 * Double($0) / Double(count), elevation: elevation)
      }
    }
    gains = points.flatMap { panner.gains($0) }
  }

  /// Gains for an object at `position` with an extent in degrees (depth as a distance).
  func gains(at position: SIMD3<Double>, width: Double, height: Double, depth: Double) -> [Double] {
    let distance = RoomGeometry.length(position)
    guard depth != 0 else { return gains(position, distance, width, height) }
    let ends = [max(0, distance + depth / 2), max(0, distance - depth / 2)]
    return GainVector.powerSum(ends.map { (0.5, gains(position, $0, width, height)) })
  }

  /// Gains for the direction of `position`, seen from `distance`.
  private func gains(
    _ position: SIMD3<Double>, _ distance: Double, _ width: Double, _ height: Double
  ) -> [Double] {
    let wide = ObjectExtents.seen(width, from: distance)
    let high = ObjectExtents.seen(height, from: distance)
    let share = min(1, max(0, max(wide, high) / 10))
    var parts: [(weight: Double, gains: [Double])] = []
    if 1 - share > 1e-10 { parts.append((1 - share, panner.gains(position))) }
    if share > 1e-10 {
      parts.append((share, spread(at: position, width: max(wide, 5), height: max(high, 5))))
    }
    return GainVector.powerSum(parts)
  }

  private func spread(at position: SIMD3<Double>, width: Double, height: Double) -> [Double] {
    let shape = SpreadShape(at: position, width: width, height: height)
    let count = panner.count
    var sum = [Double](repeating: 0, count: count)
    gains.withUnsafeBufferPointer { gains in
      for (index, point) in points.enumerated() {
        let weight = shape.weight(point)
        guard weight > 0 else { continue }
        for speaker in 0..<count { sum[speaker] += weight * gains[index * count + speaker] }
      }
    }
    return GainVector.normalised(sum)
  }
}
