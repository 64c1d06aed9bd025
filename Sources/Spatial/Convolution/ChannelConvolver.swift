import AudioCore

/// Convolves channels to two outputs.
protocol ChannelConvolver: AnyObject {
  /// Consumes `frames` samples of each channel and appends what is ready to the two planes of
  /// `output`.
  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer)

  /// Appends what is left: the filters' whole response to the last samples.
  func finish(into output: AudioBuffer)
}
