/// What has to be read before segments can be: an initialisation section (RFC 8216, 4.3.2.5).
struct SegmentMap: Hashable {
  /// Where it lies.
  var uri: String
  /// Its bytes there; `nil` for all.
  var range: Range<Int64>?
  /// How it is encrypted.
  var key: SegmentKey?
}
