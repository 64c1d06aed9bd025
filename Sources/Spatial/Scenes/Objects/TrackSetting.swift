import LibAV

/// What all tracks of a rendering share.
struct TrackSetting {
  /// Samples that are rendered together: some hops.
  let step: Int
  /// Samples before a hop that its transform has too.
  let history: Int
  /// Samples that a jump takes: 2 ms.
  let jump: Double
  /// Makes room for a filter.
  let makeFilter: () -> AlignedFloats
}
