/// A part of the sphere that a few loudspeakers share (ITU-R BS.2127-1, 6.1). Numbers are those of the
/// layout's loudspeakers without LFE, virtual ones behind them.
enum PanningRegion: Sendable {
  /// Three loudspeakers.
  case triplet([Int])
  /// Four loudspeakers in the order of the ring.
  case quad([Int])
  /// The loudspeakers of a ring in order, and a point between them whose gain they share.
  case ring([Int], centre: SIMD3<Double>)
}
