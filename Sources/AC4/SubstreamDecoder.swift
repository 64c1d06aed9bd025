/// Decodes the audio of one substream at its coded rate.
///
/// Samples come out ``FrameTiming/delay`` later than they went in.
final class SubstreamDecoder {
  /// What the frames' length leads to.
  let timing: FrameTiming
  /// Number of channels.
  let channelCount: Int

  private let reader: ElementReader
  private let assembler: SpectrumAssembler
  private let chains: [ChannelChain]
  private let compander: Compander
  private let adjuster = EnvelopeAdjuster()
  /// Frames whose control data wait, the current one among them.
  private let frames: [ElementFrame]
  private var frameCount = 0
  private let silence: WindowLayout

  private let processing: SubbandProcessing?

  /// A decoder of substreams with these channels and frames.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channel modes that it lacks.
  convenience init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, _ options: AC4DecoderOptions = .init()
  ) throws(AC4Error) {
    try self.init(mode, rate, rate.timing, options)
  }

  /// A decoder with a timing of its own.
  init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, _ timing: FrameTiming,
    _ options: AC4DecoderOptions = .init()
  ) throws(AC4Error) {
    let reader = try ElementReader(mode, rate)
    self.reader = reader
    self.timing = timing
    channelCount = mode.channels
    assembler = SpectrumAssembler(reader.sizes, channels: mode.channels)
    let transforms = TransformBank(reader.sizes)
    let bank = FilterBank(slots: timing.slots)
    chains = (0..<mode.channels).map { _ in ChannelChain(timing, reader.sizes, transforms, bank) }
    compander = Compander(channels: mode.channels)
    frames = (0...timing.controlDelay).map { _ in reader.makeFrame() }
    silence = WindowLayout(silent: reader.sizes)
    processing = options.isPlain ? nil : SubbandProcessing(mode, rate, timing, options)
  }

  /// Decodes one `ac4_substream` into one frame length of samples for each channel.
  ///
  /// Nothing changes when it throws.
  /// - Parameters:
  ///   - info: what the table of contents says.
  ///   - control: dynamic range control from the presentation's own substream; `nil` where the
  ///     substream has it.
  ///   - output: where each channel's samples go; full scale is 1.
  func decode(
    _ bits: inout BitReader, _ info: SubstreamInfo,
    _ control: DynamicRangeController.Control? = nil,
    into output: (Int) -> UnsafeMutablePointer<Float>
  ) throws(AC4Error) {
    let size = try AudioSize.read(&bits)
    let start = bits.position
    guard size * 8 <= bits.remaining else { throw .damaged("audio beyond its substream") }
    var audio = bits
    try audio.limit(to: start + size * 8)
    let frame = frames[frameCount % frames.count]
    try reader.read(&audio, isIFrame: info.isIFrame, into: frame)
    reader.commit()
    if let processing {
      try bits.move(to: start + size * 8)
      processing.prepare(&bits, info, control, frame)
    }
    assembler.assemble(reader, sequenceCounter: info.sequenceCounter)
    for (index, chain) in chains.enumerated() {
      chain.analyse(reader.tracks[index].layout, assembler.spectrum(index))
    }
    finish(into: output)
  }

  /// Makes a frame from silence: what went in before fades out.
  func conceal(into output: (Int) -> UnsafeMutablePointer<Float>) {
    let frame = frames[frameCount % frames.count]
    frame.mode = .simple
    frame.extensionCount = 0
    frame.companding = Companding()
    frame.dynamicRange = DynamicRangeController.Control()
    DialogueEnhancer.setIdentity(frame.enhancement.base)
    assembler.clear()
    for (index, chain) in chains.enumerated() {
      chain.analyse(silence, assembler.spectrum(index))
    }
    finish(into: output)
  }

  /// Forgets what an I-frame set, so that another one is needed.
  func forgetSettings() { reader.reset() }

  /// Forgets everything.
  func reset() {
    reader.reset()
    for chain in chains { chain.reset() }
    processing?.reset()
    frameCount = 0
  }

  /// Applies the control data whose time has come, and synthesises.
  private func finish(into output: (Int) -> UnsafeMutablePointer<Float>) {
    frameCount += 1
    var crossover = QMF.bands
    if frameCount > timing.controlDelay {
      // The oldest of the waiting frames stands right after the newest.
      let frame = frames[frameCount % frames.count]
      if frame.mode == .extended, let bands = frame.extensions[0].bands {
        crossover = bands.crossover
        expand(frame, bands)
        extend(frame.extensions[0], bands)
      }
      if let processing {
        processing.apply(frame, chains, crossover: crossover, into: output)
        return
      }
    }
    for (index, chain) in chains.enumerated() {
      chain.synthesise(crossover: crossover, into: output(index))
    }
  }

  private func part(_ index: Int, _ frame: ElementFrame, _ bands: ASPXBands) -> Compander.Part {
    Compander.Part(
      signal: chains[index].signal, slots: chains[index].slots(frame.extensions[0].channels[index]),
      bands: 0..<bands.crossover)
  }

  private func expand(_ frame: ElementFrame, _ bands: ASPXBands) {
    if frame.companding.isSynchronous {
      let parts = chains.indices.map { part($0, frame, bands) }
      compander.applySynchronous(frame.companding, parts)
      return
    }
    for index in chains.indices {
      compander.apply(frame.companding, part(index, frame, bands), channel: index)
    }
  }

  private func extend(_ element: ASPXElement, _ bands: ASPXBands) {
    for (index, chain) in chains.enumerated() {
      chain.levels.decode(
        element.channels[index], bands, isBalance: element.isBalance && index == 1)
    }
    if element.isBalance {
      chains[0].levels.dequantise(element.channels[0], bands, balanced: chains[1].levels)
    } else {
      for (index, chain) in chains.enumerated() {
        chain.levels.dequantise(element.channels[index], bands)
      }
    }
    for (index, chain) in chains.enumerated() {
      chain.extend(element.channels[index], bands, adjuster)
    }
  }
}
