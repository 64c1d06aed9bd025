// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Directions as points of the unit sphere: x ahead, y left, z up (AES69). ``RoomGeometry`` has the axes of ITU-R BS.2127.
enum UnitVector {
  /// The point in `direction`; exact zeros on the median plane, so that mirrors stay exact.
  static func of(_ direction: Direction) -> SIMD3<Double> {
    let azimuth = direction.azimuth * .pi / 180
    let elevation = direction.elevation * .pi / 180
    let level = abs(direction.elevation) >= 90 ? 0 : cos(elevation)
    var side = sin(azimuth)
    if side.magnitude < 1e-9 { side = 0 }
    return SIMD3(level * cos(azimuth), level * side, sin(elevation))
  }

  /// The direction of a point of the unit sphere.
  static func direction(of place: SIMD3<Double>) -> Direction {
    Direction(
      azimuth: atan2(place.y, place.x) * 180 / .pi,
      elevation: asin(min(1, max(-1, place.z))) * 180 / .pi)
  }

  /// Scalar product.
  static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    a.x * b.x + a.y * b.y + a.z * b.z
  }

  /// Vector product.
  static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// `count` nearly uniform points (Fibonacci lattice), from the top to the bottom.
  static func lattice(_ count: Int) -> [SIMD3<Double>] {
    let golden = Double.pi * (3 - 5.0.squareRoot())
    return (0..<count).map { index in
      let z = 1 - (2 * Double(index) + 1) / Double(count)
      let radius = max(0, 1 - z * z).squareRoot()
      let angle = golden * Double(index)
      return SIMD3(radius * cos(angle), radius * sin(angle), z)
    }
  }
}
