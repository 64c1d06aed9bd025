/// What options ask for between the decoded subbands and synthesis.
final class SubbandProcessing {
  private let mode: AC4ChannelMode
  private let timing: FrameTiming
  private let enhancer: DialogueEnhancer?
  private let controller: DynamicRangeController?
  private let books = MetadataBooks()
  private var metadata = SubstreamMetadataReader()

  /// The processing of a substream with these channels.
  init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, _ timing: FrameTiming,
    _ options: AC4DecoderOptions
  ) {
    self.mode = mode
    self.timing = timing
    enhancer =
      options.dialogueGain > 0 ? DialogueEnhancer(mode, gain: options.dialogueGain) : nil
    let coded = Double(rate.sampleRate) * Double(rate.resampleDown) / Double(rate.resampleUp)
    controller =
      options.dynamicRange == .off
      ? nil
      : DynamicRangeController(mode, options.dynamicRange, slots: timing.slots, rate: coded)
  }

  /// Reads the metadata at the reader's position and keeps in `frame` what will be applied.
  func prepare(
    _ bits: inout BitReader, _ info: SubstreamInfo, _ control: DynamicRangeController.Control?,
    _ frame: ElementFrame
  ) {
    let context = MetadataContext(
      mode: mode, syntaxVersion: info.syntaxVersion, isIFrame: info.isIFrame,
      frameLength: timing.length, books: books)
    let data = try? metadata.read(&bits, context)
    enhancer?.setMatrices(data?.dialogueEnhancement, into: frame.enhancement.base)
    frame.dynamicRange =
      control
      ?? DynamicRangeController.Control(
        data: data?.dynamicRange, dialnorm: data?.dialnorm ?? 0)
  }

  /// Applies what a frame's control data ask for to the subbands of all channels.
  func apply(_ frame: ElementFrame, to channels: [SubbandFrame]) {
    enhancer?.apply(channels, frame.enhancement.base, slots: timing.slots)
    controller?.apply(frame.dynamicRange, channels)
  }

  /// Forgets earlier frames.
  func reset() {
    enhancer?.reset()
    controller?.reset()
    metadata = SubstreamMetadataReader()
  }
}
