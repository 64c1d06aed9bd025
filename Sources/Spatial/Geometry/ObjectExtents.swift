// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// How large objects look (ITU-R BS.2127-1, 7.3).
enum ObjectExtents {
  /// The angle under which an extent of `angle` degrees, 0…360, appears from `distance`: unchanged at 1, all round
  /// at 0.
  static func seen(_ angle: Double, from distance: Double) -> Double {
    let size = 0.2 + 0.8 * angle / 360
    let degrees = { (distance: Double) in 4 * atan2(size, distance) * 180 / .pi }
    return RoomGeometry.interpolate(
      degrees(distance), [(0, 0), (degrees(1), angle), (360, 360)])
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

/// Plays an object at two further places (ITU-R BS.2127-1, 7.3).
enum ObjectDivergence {
  /// A place and its share of the power.
  typealias Part = (weight: Double, point: SIMD3<Double>)

  /// The places of an object at `point`.
  static func parts(
    _ divergence: ObjectRules.Divergence?, at point: SIMD3<Double>, isCartesian: Bool
  ) -> [Part] {
    guard let divergence, divergence.value > 0 else { return [(1, point)] }
    let sides =
      isCartesian ? inRoom(divergence.range, point) : onSphere(divergence.range, point)
    let value = min(1, divergence.value)
    let side = value / (value + 1)
    return [(side, sides[0]), ((1 - value) / (value + 1), sides[1]), (side, sides[2])]
  }

  private static func onSphere(_ range: Double, _ point: SIMD3<Double>) -> [SIMD3<Double>] {
    let axes = RoomGeometry.axes(at: point)
    let distance = RoomGeometry.length(point)
    return [range, 0, -range].map {
      axes.point(RoomGeometry.point(azimuth: $0, elevation: 0, distance: distance))
    }
  }

  private static func inRoom(_ range: Double, _ point: SIMD3<Double>) -> [SIMD3<Double>] {
    [-range, 0, range].map { offset in
      (point + SIMD3(offset, 0, 0)).clamped(
        lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 1))
    }
  }
}
