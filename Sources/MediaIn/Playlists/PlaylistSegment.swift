/// One media segment of a media playlist.
struct PlaylistSegment: Equatable {
  /// Where it lies.
  var uri: String
  /// Duration in nanoseconds, as EXTINF says.
  var duration: Int64
  /// Nanoseconds by which the duration is rounded at most.
  var uncertainty: Int64
  /// Its bytes there; `nil` for all.
  var range: Range<Int64>?
  /// Media sequence number.
  var sequence: Int64
  /// Its initialisation section.
  var map: SegmentMap?
  /// How it is encrypted.
  var key: SegmentKey?
  /// Whether it doesn't go on from the one before.
  var isDiscontinuous = false
  /// Whether it is missing by the playlist's own account.
  var isGap = false
}
