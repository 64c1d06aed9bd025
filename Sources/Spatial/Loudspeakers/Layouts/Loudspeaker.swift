import AudioCore

/// A loudspeaker of a layout of ITU-R BS.2051.
struct Loudspeaker: Sendable {
  /// Its name, e.g. `M+030` or `LFE1`.
  let name: String
  /// Its nominal direction.
  let direction: Direction
  /// Whether it plays low-frequency effects only.
  let isLFE: Bool
  /// The nominal direction as a point of the unit sphere: X to the right, Y to the front, Z up.
  let place: SIMD3<Double>
  /// Its place in a room whose walls lie at ±1, for Cartesian positions (ITU-R BS.2127-1, 11).
  let corner: SIMD3<Double>
  /// Which decorrelation filter it has: its number among the layout's names in alphabetic order.
  let filter: Int
}
