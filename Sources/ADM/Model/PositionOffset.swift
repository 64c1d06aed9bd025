/// What is added to an object's positions (positionOffset, BS.2076-2, 5.6.5).
package struct PositionOffset: Sendable, Hashable {
  /// Whether it is added to X, Y and Z, not to azimuth, elevation and distance.
  package var isCartesian: Bool
  /// The addend of each coordinate.
  package var offset = Position(0, 0, 0)
}
