import LibAV

/// What all tracks of a rendering share.
struct TrackSetting {
  /// Samples of a hop.
  let hop: Int
  /// Points of a voice's transform.
  let length: Int
  /// Samples that a jump takes: 2 ms.
  let jump: Double
  /// Makes room for a filter.
  let makeFilter: () -> AlignedFloats
}
