import AudioCore

/// Where a fragment begins: the reference track by the sample that is decoded first, which must be one
/// that decoding can begin with, all others by when it is presented.
struct FragmentCut {
  /// When the reference track's sample is presented.
  let time: MediaTime
  /// When it is decoded, in ticks of its track.
  let decodeTime: Int64
}
