/// An initialisation section, which has to be read before the segments that it belongs to (RFC 8216,
/// 4.3.2.5).
struct SegmentMap: Hashable {
  /// URI of the file that holds it, as written.
  var uri: String
  /// Its bytes in that file; `nil` for all.
  var range: Range<Int64>?
  /// How it is encrypted.
  var key: SegmentKey?
}
