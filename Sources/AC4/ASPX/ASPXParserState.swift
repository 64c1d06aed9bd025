/// What reading an A-SPX element carries from frame to frame.
struct ASPXParserState {
  /// Groups by the last I-frame's offset.
  var bands: ASPXBands?
  /// Where each channel's last interval ended, in A-SPX slots from that frame's start.
  var ends: SIMD2<Int>

  /// The state before the first frame of `steps` A-SPX slots.
  init(steps: Int) { ends = SIMD2(repeating: steps) }
}
