/// Values of `--opus-target`: which players Opus in MP4 starts at the right sample in.
enum OpusTarget: String, CaseIterable {
  /// Players that follow edit lists.
  case gapless
  /// A browser's MediaSource.
  case mse
}
