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
    let wide = PolarExtentPanner.seen(width, from: distance)
    let high = PolarExtentPanner.seen(height, from: distance)
    let share = min(1, max(0, max(wide, high) / 10))
    var parts: [(weight: Double, gains: [Double])] = []
    if 1 - share > 1e-10 { parts.append((1 - share, panner.gains(position))) }
    if share > 1e-10 {
      parts.append((share, spread(at: position, width: max(wide, 5), height: max(high, 5))))
    }
    return GainVector.powerSum(parts)
  }

  /// The angle under which an extent of `angle` degrees appears from `distance`: unchanged at 1, all round
  /// at 0.
  private static func seen(_ angle: Double, from distance: Double) -> Double {
    let size = 0.2 + 0.8 * angle / 360
    let degrees = { (distance: Double) in 4 * atan2(size, distance) * 180 / .pi }
    return RoomGeometry.interpolate(
      degrees(distance), [(0, 0), (degrees(1), angle), (360, 360)])
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

/// The part of the sphere that an extent covers: all points within a distance of an arc, fading out over
/// 10° (ITU-R BS.2127-1, 7.3).
struct SpreadShape {
  private static let fade = 10 * Double.pi / 180

  private let axes: RoomAxes
  /// Distance from the arc that is covered wholly, rad.
  private let radius: Double
  /// Cosine of half the arc's length.
  private let turn: Double
  /// Cosine of ``radius``, and of the distance at which nothing is left; −1 for π and more.
  private let inner: Double
  private let outer: Double
  /// ``inner`` and ``outer`` as sines of elevations; 1 for a right angle and more.
  private let low: Double
  private let high: Double
  /// Both ends of the arc.
  private let ends: (SIMD3<Double>, SIMD3<Double>)

  /// The shape around the direction of `point`, of `width` and `height` degrees, 0…360.
  init(at point: SIMD3<Double>, width: Double, height: Double) {
    let local = RoomGeometry.axes(at: point)
    let isTall = height > width
    axes = isTall ? RoomAxes(right: local.up, ahead: local.ahead, up: local.right) : local
    let long = max(width, height) * .pi / 360
    radius = min(width, height) * .pi / 360
    // Beyond 180° the arc also grows by its thickness, so that 360° leaves no gap at the back.
    let whole = RoomGeometry.interpolate(
      long, [(0, 0), (.pi / 2, .pi / 2), (.pi, .pi + radius)])
    let half = RoomGeometry.interpolate(
      radius, [(0, whole), (.pi / 4, whole), (.pi / 2, long), (.pi, long)])
    let reach = half - radius
    let edge = radius + SpreadShape.fade
    (turn, inner, outer) = (cos(reach), cos(radius), edge < .pi ? cos(edge) : -1)
    low = radius < .pi / 2 ? sin(radius) : 1
    high = edge < .pi / 2 ? sin(edge) : 1
    let end = { [axes] (angle: Double) in axes.point(SIMD3(sin(angle), cos(angle), 0)) }
    ends = (end(-reach), end(reach))
  }

  /// Weight of a point of the unit sphere, 0…1.
  ///
  /// Only points on the slope need an angle; for the others its sine or cosine is compared.
  func weight(_ point: SIMD3<Double>) -> Double {
    let height = UnitVector.dot(point, axes.up)
    guard height.magnitude < high || high == 1 else { return 0 }
    let (right, ahead) = (UnitVector.dot(point, axes.right), UnitVector.dot(point, axes.ahead))
    if ahead >= turn * (right * right + ahead * ahead).squareRoot() {
      guard height.magnitude > low else { return 1 }
      return slope(asin(min(1, height.magnitude)))
    }
    let nearest = max(UnitVector.dot(point, ends.0), UnitVector.dot(point, ends.1))
    guard nearest < inner else { return 1 }
    return nearest > outer ? slope(acos(max(-1, nearest))) : 0
  }

  private func slope(_ distance: Double) -> Double {
    min(1, max(0, 1 - (distance - radius) / SpreadShape.fade))
  }
}
