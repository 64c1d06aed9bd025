/// One media segment of a media playlist.
struct PlaylistSegment: Equatable {
  /// URI of the file that holds it, as written.
  var uri: String
  /// Duration that EXTINF states, in nanoseconds.
  var duration: Int64
  /// Greatest rounding error of the duration, in nanoseconds.
  var uncertainty: Int64
  /// Its bytes in that file; `nil` for all.
  var range: Range<Int64>?
  /// Media sequence number.
  var sequence: Int64
  /// Its initialisation section.
  var map: SegmentMap?
  /// How it is encrypted.
  var key: SegmentKey?
  /// Whether EXT-X-DISCONTINUITY separates it from the segment before.
  var isDiscontinuous = false
  /// Whether EXT-X-GAP states that it is missing.
  var isGap = false
}
