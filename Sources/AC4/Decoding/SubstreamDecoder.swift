import Signal

/// Decodes the audio of one substream at its coded rate.
///
/// Samples come out ``FrameTiming/delay`` later than they went in.
final class SubstreamDecoder {
  /// Slots and delays that follow from the length of the frames.
  let timing: FrameTiming
  /// Subbands of the channels while A-CPL, the mix and the options change them.
  let staged: [SubbandFrame]
  /// Metadata of the frame read last; `nil` when neither the mix nor an option needs them, and
  /// for a concealed frame.
  var currentMetadata: AC4SubstreamMetadata? { metadata.current }

  private let reader: ElementReader
  private let assembler: SpectrumAssembler
  private let chains: [ChannelChain]
  private let extender: ASPXStage
  /// `nil` for mono and 3.0, which have no pair to couple.
  private let coupling: ACPLStage?
  /// `nil` when no option changes the subbands.
  private let processing: SubbandProcessing?
  private var control: ControlQueue
  private var metadata: SubstreamMetadataState
  /// The window layout of frames of silence.
  private let silence: WindowLayout
  /// Whether it is one of several substreams that are mixed.
  private let isMixed: Bool
  private var sequenceCounter = 0
  /// Whether the current frame couldn't be read.
  private var isConcealed = false
  /// Whether the current frame's subbands are in ``staged``; otherwise they are still in the chains.
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
    let reader = try ElementReader(mode, rate, addsToSurrounds: addsToSurrounds)
    let sizes = reader.spectra.sizes
    let transforms = TransformBank(sizes)
    let bank = FilterBank(slots: timing.slots)
    self.reader = reader
    self.timing = timing
    self.isMixed = isMixed
    assembler = SpectrumAssembler(sizes, channels: mode.channels)
    chains = (0..<mode.channels).map { _ in ChannelChain(timing, sizes, transforms, bank) }
    extender = ASPXStage(chains)
    coupling = mode.rawValue == 0 || mode.rawValue == 2 ? nil : ACPLStage(slots: timing.slots)
    processing = options.isPlain ? nil : SubbandProcessing(mode, rate, timing, options)
    control = ControlQueue(delay: timing.controlDelay) { reader.makeFrame() }
    metadata = SubstreamMetadataState(mode, role, frameLength: timing.length)
    silence = WindowLayout(silent: sizes)
    staged = (0..<mode.channels).map { _ in SubbandFrame(slots: timing.slots) }
  }

  /// Reads one `ac4_substream`; ``stage()`` decodes it. Nothing changes when it throws.
  /// - Parameter dynamicRange: dynamic range control from the presentation's own substream; `nil` where
  ///   the substream has it.
  func read(
    _ bits: inout BitReader, _ info: SubstreamInfo,
    _ dynamicRange: DynamicRangeController.Control? = nil
  ) throws(AC4Error) {
    let size = try AudioSize.read(&bits)
    let start = bits.position
    guard size * 8 <= bits.remaining else { throw .damaged("audio beyond its substream") }
    var audio = bits
    try audio.limit(to: start + size * 8)
    let frame = control.next
    try reader.read(&audio, isIFrame: info.isIFrame, into: frame)
    if isMixed || processing != nil {
      try bits.move(to: start + size * 8)
      // Unreadable metadata fail the frame: wrong levels and places are as audible as wrong spectra.
      let data = try metadata.read(&bits, info)
      processing?.prepare(data, dynamicRange, frame)
    }
    reader.commit()
    sequenceCounter = info.sequenceCounter
    isConcealed = false
  }

  /// Puts silence in the place of a frame: what went in before fades out.
  func conceal() {
    isConcealed = true
    control.next.conceal()
    metadata.skip()
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
    control.advance()
    extender.begin()
    isStaged = isMixed
    if let due = control.due { applyControl(due) } else if isMixed { copy() }
  }

  /// Synthesises the staged frame into one frame length of samples for each channel.
  func finish(into output: (Int) -> UnsafeMutablePointer<Float>) {
    guard isStaged else {
      for (index, chain) in chains.enumerated() {
        chain.synthesise(crossover: extender.crossover(index), into: output(index))
      }
      return
    }
    if let due = control.due { processing?.control(due, staged) }
    for (index, chain) in chains.enumerated() {
      chain.synthesise(staged[index], into: output(index))
    }
  }

  /// Forgets the settings of earlier frames and the values that differences refer to, but not their sound.
  func changeSource() {
    reader.reset()
    metadata.forgetSettings()
  }

  /// Forgets everything.
  func reset() {
    changeSource()
    for chain in chains { chain.reset() }
    coupling?.reset()
    processing?.reset()
    metadata.skip()
    control.reset()
  }

  /// Applies a frame's control data to the current subbands.
  private func applyControl(_ frame: ElementFrame) {
    if !frame.isConcealed, frame.mode != .simple { extender.apply(frame) }
    let isCoupled = frame.isConcealed ? coupling?.isActive == true : frame.mode.isCoupled
    isStaged = isMixed || isCoupled || processing != nil
    guard isStaged else {
      // An uncoupled frame makes A-CPL forget the coupled ones before it.
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

  /// Copies the subbands of all channels to where they can be changed together.
  private func copy() {
    for (index, chain) in chains.enumerated() {
      chain.copy(crossover: extender.crossover(index), into: staged[index])
    }
  }
}
