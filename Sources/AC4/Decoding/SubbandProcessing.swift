/// Dialogue enhancement and dynamic range control of a substream's subbands, where options ask for them.
final class SubbandProcessing {
  private let timing: FrameTiming
  private let enhancer: DialogueEnhancer?
  private let controller: DynamicRangeController?

  /// The processing of a substream with these channels.
  init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, _ timing: FrameTiming,
    _ options: AC4DecoderOptions
  ) {
    self.timing = timing
    enhancer =
      options.dialogueGain > 0 ? DialogueEnhancer(mode, gain: options.dialogueGain) : nil
    // The rate that the substream is coded at.
    let coded = Double(rate.sampleRate) * Double(rate.resampleDown) / Double(rate.resampleUp)
    controller =
      options.dynamicRange == .off
      ? nil
      : DynamicRangeController(mode, options.dynamicRange, slots: timing.slots, rate: coded)
  }

  /// Writes into `frame` the control data that its metadata ask for.
  /// - Parameter control: dynamic range control from the presentation's own substream.
  func prepare(
    _ data: AC4SubstreamMetadata?, _ control: DynamicRangeController.Control?,
    _ frame: ElementFrame
  ) {
    enhancer?.setMatrices(data?.dialogueEnhancement, into: frame.enhancement.base)
    frame.dynamicRange =
      control
      ?? DynamicRangeController.Control(
        data: data?.dynamicRange, dialnorm: data?.dialnorm ?? 0)
  }

  /// Raises dialogue in the subbands of all channels.
  func enhance(_ frame: ElementFrame, _ channels: [SubbandFrame]) {
    enhancer?.apply(channels, frame.enhancement.base, slots: timing.slots)
  }

  /// Controls the dynamic range of the whole mix.
  func control(_ frame: ElementFrame, _ channels: [SubbandFrame]) {
    controller?.apply(frame.dynamicRange, channels)
  }

  /// Forgets earlier frames.
  func reset() {
    enhancer?.reset()
    controller?.reset()
  }
}
