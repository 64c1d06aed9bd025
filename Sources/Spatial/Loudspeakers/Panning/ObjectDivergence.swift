import AudioCore

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
    let value = divergence.value
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
