/// The screen that a programme was made for (audioProgrammeReferenceScreen, BS.2076-2, 5.8.4).
package struct ReferenceScreen: Sendable, Hashable {
  /// Width over height.
  package var aspectRatio = 1.78
  /// Whether centre and width are Cartesian.
  package var isCartesian = false
  /// Its middle.
  package var centre = Position(0, 0, 1)
  /// Width in degrees, or in X.
  package var width = 58.0
}
