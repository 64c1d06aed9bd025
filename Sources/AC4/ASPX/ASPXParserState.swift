/// The state that reading an A-SPX element carries from frame to frame.
struct ASPXParserState {
  /// The subband groups that the last I-frame's settings give.
  var bands: ASPXBands?
  /// The end of each channel's last interval, in A-SPX slots from that frame's start.
  var ends: SIMD2<Int>

  /// The state before the first frame of `steps` A-SPX slots.
  init(steps: Int) { ends = SIMD2(repeating: steps) }
}
