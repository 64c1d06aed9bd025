import AudioCore

/// Where an object is heard from and how large it looks.
struct ObjectPlace: Equatable {
  /// The direction of its middle.
  var direction: Direction
  /// Its distance, at least 0; 1 is that of the loudspeakers.
  var distance: Double
  /// Angle from its left to its right end as it looks from its distance, in degrees, 0…360.
  var width: Double
  /// Angle from its lower to its upper end as it looks from its distance, in degrees, 0…360.
  var height: Double

  /// The direction as a point of the unit sphere (x ahead, y left, z up).
  var vector: SIMD3<Double> { UnitVector.of(direction) }
}
