/// One sample of a fragment as `trun` lists it (ISO/IEC 14496-12, 8.8.8).
package struct FragmentSample: Sendable, Equatable {
  /// Bytes, 0…4294967295.
  package var size: Int
  /// Ticks until the next sample is decoded, 0…4294967295.
  package var duration: Int64
  /// Ticks from decoding to presentation, 0…4294967295.
  package var compositionOffset: Int64
  /// Whether decoding may begin here.
  package var isSync: Bool

  /// A sample of the given facts.
  package init(size: Int, duration: Int64, compositionOffset: Int64 = 0, isSync: Bool = true) {
    self.size = size
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
  }
}
