/// Three unit vectors at right angles, seen from the listener.
struct RoomAxes {
  /// To the right.
  let right: SIMD3<Double>
  /// Ahead.
  let ahead: SIMD3<Double>
  /// Up.
  let up: SIMD3<Double>

  /// The point with these coordinates along the axes.
  func point(_ local: SIMD3<Double>) -> SIMD3<Double> {
    local.x * right + local.y * ahead + local.z * up
  }
}
