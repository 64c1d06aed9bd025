import Platform

/// The way of a voice over the unit sphere (x ahead, y left, z up): along the great circle from one
/// place to another during a fade.
struct VoicePath: Equatable {
  private let from: SIMD3<Double>
  private let to: SIMD3<Double>
  private let fade: Fade
  /// Angle from `from` to `to` in radians.
  private let angle: Double

  /// A voice that rests at `place`.
  init(_ place: SIMD3<Double>) { (from, to, fade, angle) = (place, place, .done, 0) }

  /// A voice that goes from `from` to `to`, less than 180° apart, during `fade`.
  init(from: SIMD3<Double>, to: SIMD3<Double>, _ fade: Fade) {
    (self.from, self.to, self.fade) = (from, to, fade)
    angle = VoicePath.angle(from, to) * .pi / 180
  }

  /// Where the voice is at sample `time`. At rest the place is exact.
  func place(at time: Double) -> SIMD3<Double> {
    let part = fade.part(at: time)
    if part >= 1 || from == to { return to }
    if part <= 0 { return from }
    // Only the direction of the sum counts.
    let sum =
      angle < 1e-6
      ? from * (1 - part) + to * part
      : from * sin((1 - part) * angle) + to * sin(part * angle)
    var place = sum / UnitVector.dot(sum, sum).squareRoot()
    // The median plane has a symmetry that only an exact 0 shows.
    if place.y.magnitude < 1e-9 { place.y = 0 }
    return place
  }

  /// Angle between two places, in degrees.
  static func angle(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
    let across = UnitVector.cross(one, other)
    let sine = UnitVector.dot(across, across).squareRoot()
    return atan2(sine, UnitVector.dot(one, other)) * 180 / .pi
  }
}
