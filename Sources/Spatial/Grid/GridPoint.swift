/// One place of the measured grid and the measurements that describe it.
struct GridPoint: Sendable {
  /// A measurement's part in a grid point.
  struct Member: Sendable, Hashable {
    /// Index of the measurement.
    var measurement: Int
    /// Whether the ears change places (the measurement was made at the mirrored place).
    var swapped: Bool
  }

  /// Unit vector.
  var position: SIMD3<Double>
  /// Measurements of this place; all count the same.
  var members: [Member]
}
