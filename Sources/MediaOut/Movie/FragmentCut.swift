import AudioCore

/// Where a fragment begins. The reference track is cut at a sample at which decoding may begin, by
/// its decode time; all other tracks are cut by their presentation time.
struct FragmentCut {
  /// Presentation time of the reference track's sample.
  let time: MediaTime
  /// Its decode time, in ticks of its track.
  let decodeTime: Int64
}
