/// What only some blocks of objects have (BS.2076-2, 5.4.3.3).
package struct ObjectDetails: Sendable, Hashable {
  /// How long a jump takes; `nil` when nothing is stated.
  package var interpolation: ADMTime?
  /// How far a loudspeaker may be to be locked to, as a distance in the unit cube or sphere; `nil`
  /// without limit.
  package var lockDistance: Double?
  /// How much goes to either side, 0…1.
  package var divergence = 0.0
  /// Degrees from the position to either side; `nil` when nothing is stated.
  package var azimuthRange: Double?
  /// Distance in X from the position to either side; `nil` when nothing is stated.
  package var positionRange: Double?
  /// Loudspeakers in these zones aren't used.
  package var zones: [ExcludedZone] = []
}
