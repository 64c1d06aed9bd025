/// Values of `--opus-target`: which readers Opus in MP4 is exact in.
enum OpusTarget: String, CaseIterable {
  /// All that follow edit lists.
  case gapless
  /// A browser's MediaSource.
  case mse
}
