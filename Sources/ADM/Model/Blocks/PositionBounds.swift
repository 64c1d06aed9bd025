/// Bounds of some coordinates of a ``Position``.
package struct PositionBounds: Sendable, Hashable {
  /// Azimuth or X.
  package var first: Double?
  /// Elevation or Y.
  package var second: Double?
  /// Distance or Z.
  package var third: Double?
}
