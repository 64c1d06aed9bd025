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
  /// Room for what is companded together.
  private var parts: [Compander.Part] = []
  private let adjuster = EnvelopeAdjuster()
  /// Frames whose control data wait, the current one among them.
  private let frames: [ElementFrame]
  private var frameCount = 0
  private let silence: WindowLayout
  /// First generated subband of each channel.
  private let crossovers: FixedBuffer<Int>

  private let coupling: ACPLStage?
  private let processing: SubbandProcessing?
  /// Subbands of the channels on their way through the two above.
  let staged: [SubbandFrame]
  /// Whether it is one of several that are mixed.
  private let isMixed: Bool
  private let mode: AC4ChannelMode
  private let role: SubstreamRole
  private var metadata = SubstreamMetadataReader()
  private let metadataBooks = MetadataBooks()
  /// What the frame read last says; `nil` when nobody asks or it can't be read.
  private(set) var said: AC4SubstreamMetadata?
  private var sequenceCounter = 0
  private var isConcealed = false
  private var isStaged = false

  /// A decoder of substreams with these channels and frames.
  /// - Parameters:
  ///   - addsToSurrounds: `add_ch_base` of the substream.
  ///   - isMixed: whether it is one of several.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channel modes that it lacks.
  init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, _ timing: FrameTiming,
    addsToSurrounds: Bool = false, _ options: AC4DecoderOptions = .init(),
    role: SubstreamRole = .main, isMixed: Bool = false
  ) throws(AC4Error) {
    self.isMixed = isMixed
    self.mode = mode
    self.role = role
    let reader = try ElementReader(mode, rate, addsToSurrounds: addsToSurrounds)
    self.reader = reader
    let sizes = reader.spectra.sizes
    self.timing = timing
    channelCount = mode.channels
    assembler = SpectrumAssembler(sizes, channels: mode.channels)
    let transforms = TransformBank(sizes)
    let bank = FilterBank(slots: timing.slots)
    chains = (0..<mode.channels).map { _ in ChannelChain(timing, sizes, transforms, bank) }
    compander = Compander(channels: mode.channels)
    frames = (0...timing.controlDelay).map { _ in reader.makeFrame() }
    silence = WindowLayout(silent: sizes)
    crossovers = FixedBuffer(QMF.bands, count: mode.channels)
    // Mono and 3.0 have nothing to couple.
    coupling = mode.rawValue == 0 || mode.rawValue == 2 ? nil : ACPLStage(slots: timing.slots)
    processing = options.isPlain ? nil : SubbandProcessing(mode, rate, timing, options)
    staged = (0..<mode.channels).map { _ in SubbandFrame(slots: timing.slots) }
  }

  /// Reads one `ac4_substream`; ``stage()`` decodes it. Nothing changes when it throws.
  /// - Parameter control: dynamic range control from the presentation's own substream; `nil` where the
  ///   substream has it.
  func read(
    _ bits: inout BitReader, _ info: SubstreamInfo,
    _ control: DynamicRangeController.Control? = nil
  ) throws(AC4Error) {
    let size = try AudioSize.read(&bits)
    let start = bits.position
    guard size * 8 <= bits.remaining else { throw .damaged("audio beyond its substream") }
    var audio = bits
    try audio.limit(to: start + size * 8)
    let frame = frames[frameCount % frames.count]
    try reader.read(&audio, isIFrame: info.isIFrame, into: frame)
    if isMixed || processing != nil {
      try bits.move(to: start + size * 8)
      let context = MetadataContext(
        mode: mode, syntaxVersion: info.syntaxVersion, isIFrame: info.isIFrame,
        isAssociated: role == .associated, isDialogue: role == .dialogue,
        frameLength: timing.length, books: metadataBooks)
      // Levels and places that can't be read would change the sound as damaged spectra do.
      var renewed = metadata
      let data = try renewed.read(&bits, context)
      metadata = renewed
      said = data
      processing?.prepare(data, control, frame)
    }
    reader.commit()
    sequenceCounter = info.sequenceCounter
    isConcealed = false
  }

  /// Puts silence in the place of a frame: what went in before fades out.
  func conceal() {
    let frame = frames[frameCount % frames.count]
    isConcealed = true
    frame.isConcealed = true
    frame.extensionCount = 0
    frame.companding = Companding()
    frame.dynamicRange = DynamicRangeController.Control()
    DialogueEnhancer.setIdentity(frame.enhancement.base)
    said = nil
  }

  /// Decodes the frame that was read or concealed up to its subbands, and applies the control data
  /// whose time has come.
  func stage() {
    if isConcealed {
      assembler.clear()
    } else {
      assembler.assemble(reader.spectra, sequenceCounter: sequenceCounter)
    }
    for (index, chain) in chains.enumerated() {
      let track = isConcealed ? nil : reader.spectra.channelTracks[index]
      chain.analyse(
        track.map { reader.spectra.tracks[$0].layout } ?? silence, assembler.spectrum(index))
    }
    frameCount += 1
    for channel in 0..<channelCount { crossovers.base[channel] = QMF.bands }
    isStaged = isMixed
    if frameCount > timing.controlDelay { applyControl(due) } else if isMixed { copy() }
  }

  /// Synthesises what was staged into one frame length of samples for each channel.
  func finish(into output: (Int) -> UnsafeMutablePointer<Float>) {
    guard isStaged else {
      for (index, chain) in chains.enumerated() {
        chain.synthesise(crossover: crossovers.base[index], into: output(index))
      }
      return
    }
    if frameCount > timing.controlDelay { processing?.control(due, staged) }
    for (index, chain) in chains.enumerated() {
      chain.synthesise(staged[index], into: output(index))
    }
  }

  /// Forgets what was read, not the sound.
  func changeSource() {
    reader.reset()
    metadata = SubstreamMetadataReader()
  }

  /// Forgets everything.
  func reset() {
    changeSource()
    for chain in chains { chain.reset() }
    coupling?.reset()
    processing?.reset()
    said = nil
    frameCount = 0
  }

  /// The oldest of the waiting frames, which stands right after the newest.
  private var due: ElementFrame { frames[frameCount % frames.count] }

  private func applyControl(_ frame: ElementFrame) {
    if !frame.isConcealed, frame.mode != .simple { extend(frame) }
    let isCoupled = frame.isConcealed ? coupling?.isActive == true : frame.mode.isCoupled
    isStaged = isMixed || isCoupled || processing != nil
    guard isStaged else {
      // Only tells it that the mode is another one.
      if !frame.isConcealed { coupling?.apply(frame, to: staged) }
      return
    }
    copy()
    if frame.isConcealed {
      coupling?.hold(staged)
    } else {
      coupling?.apply(frame, to: staged)
    }
    processing?.enhance(frame, staged)
  }

  private func copy() {
    for (index, chain) in chains.enumerated() {
      chain.copy(crossover: crossovers.base[index], into: staged[index])
    }
  }

  /// Companding and spectral extension.
  private func extend(_ frame: ElementFrame) {
    for index in 0..<frame.extensionCount {
      guard let bands = frame.extensions[index].bands else { continue }
      for channel in frame.plan.extensions[index] {
        crossovers.base[channel] = bands.crossover
      }
    }
    expand(frame)
    for index in 0..<frame.extensionCount {
      extend(frame.extensions[index], frame.plan.extensions[index])
    }
  }

  /// The part of channel `channel` that companding changes.
  private func part(_ channel: Int, _ frame: ElementFrame) -> Compander.Part {
    for (index, channels) in frame.plan.extensions.enumerated() {
      for (place, candidate) in channels.enumerated() where candidate == channel {
        return Compander.Part(
          signal: chains[channel].signal,
          slots: chains[channel].slots(frame.extensions[index].channels[place]),
          bands: min(first(channel, frame), crossovers.base[channel])..<crossovers.base[channel])
      }
    }
    return Compander.Part(signal: chains[channel].signal, slots: 0..<0, bands: 0..<0)
  }

  /// First companded subband: carriers are left alone where the channel beside them is coded, too.
  private func first(_ channel: Int, _ frame: ElementFrame) -> Int {
    guard frame.plan.pairs.contains(where: { $0.carrier == channel }) else { return 0 }
    return frame.couplings[0].configuration?.firstSubband ?? 0
  }

  private func expand(_ frame: ElementFrame) {
    if frame.companding.isSynchronous {
      parts.removeAll(keepingCapacity: true)
      for channel in frame.plan.companded { parts.append(part(channel, frame)) }
      compander.applySynchronous(frame.companding, parts)
      return
    }
    for (place, channel) in frame.plan.companded.enumerated() {
      compander.apply(frame.companding, part(channel, frame), channel: place)
    }
  }

  private func extend(_ element: ASPXElement, _ channels: [Int]) {
    guard let bands = element.bands else { return }
    for (place, channel) in channels.enumerated() {
      chains[channel].levels.decode(
        element.channels[place], bands, isBalance: element.isBalance && place == 1)
    }
    if element.isBalance, channels.count == 2 {
      chains[channels[0]].levels.dequantise(
        element.channels[0], bands, balanced: chains[channels[1]].levels)
    } else {
      for (place, channel) in channels.enumerated() {
        chains[channel].levels.dequantise(element.channels[place], bands)
      }
    }
    for (place, channel) in channels.enumerated() {
      chains[channel].extend(element.channels[place], bands, adjuster)
    }
  }
}
