/// A place: azimuth, elevation and distance, or X, Y and Z; which of them is said beside it.
///
/// Azimuth in degrees, positive to the left, −180…180; elevation in degrees, positive upwards, −90…90;
/// distance at least 0, of which 1 is that of the loudspeakers. X to the right, Y to the front, Z up, the
/// loudspeakers at ±1.
package struct Position: Sendable, Hashable {
  /// Azimuth or X.
  package var first: Double
  /// Elevation or Y.
  package var second: Double
  /// Distance or Z.
  package var third: Double

  /// A place with these coordinates.
  package init(_ first: Double, _ second: Double, _ third: Double) {
    self.first = first
    self.second = second
    self.third = third
  }
}
