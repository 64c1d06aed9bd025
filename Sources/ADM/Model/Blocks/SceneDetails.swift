/// Which component of a sound field a channel is (BS.2076-2, 5.4.3.4).
package struct SceneDetails: Sendable, Hashable {
  /// How components are scaled.
  package enum Normalization: String, Sendable, CaseIterable {
    case sn3d = "SN3D"
    case n3d = "N3D"
    case fuMa = "FuMa"
  }

  /// Order, at least 0; `nil` when nothing is stated.
  package var order: Int?
  /// Degree, −order…order; `nil` when nothing is stated.
  package var degree: Int?
  /// Scaling; `nil` when nothing is stated, which is that of the pack, or SN3D.
  package var normalization: Normalization?
  /// Distance that near-field effects are compensated for, in metres; 0 for none, `nil` when nothing is
  /// stated.
  package var nearFieldDistance: Double?
  /// Whether it refers to the screen; `nil` when nothing is stated.
  package var refersToScreen: Bool?
}
