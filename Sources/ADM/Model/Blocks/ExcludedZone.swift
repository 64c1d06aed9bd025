/// A part of space whose loudspeakers aren't used (zoneExclusion, BS.2076-2, 5.4.3.3).
package enum ExcludedZone: Sendable, Hashable {
  /// A box, from its least to its greatest coordinates.
  case box(least: Position, greatest: Position)
  /// A part of the sphere in degrees; azimuths go anticlockwise, to the left, from the first to the second.
  case sector(fromAzimuth: Double, toAzimuth: Double, elevations: ClosedRange<Double>)
}
