// SPDX-License-Identifier: Apache-2.0
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

  /// The state of the current frame.
  private struct Current {
    var sequenceCounter = 0
    /// Whether it couldn't be read.
    var isConcealed = false
    /// Whether its subbands are in ``staged``; otherwise they are still in the chains.
    var isStaged = false
    /// Gains of an immersive element's channels, as last in force; empty where all are 1.
    var gains: [Float] = []
    /// Tools that the frames so far needed and that no real stream has proved.
    var unverified: AC4UnverifiedTools = []
  }

  private let reader: ElementReader
  private let assembler: SpectrumAssembler
  private let chains: [ChannelChain]
  private let extender: ASPXStage
  /// Stage that makes objects of the channels; `nil` where none are.
  let upmix: ObjectUpmix?
  /// `nil` for layouts that have no pair to couple.
  private let coupling: ACPLStage?
  /// `nil` when no option changes the subbands.
  private let processing: SubbandProcessing?
  private var control: ControlQueue<ElementFrame>
  private var metadata: SubstreamMetadataState
  /// The window layout of frames of silence.
  private let silence: WindowLayout
  /// Whether it is one of several substreams that are mixed.
  private let isMixed: Bool
  private var current = Current()

  /// A decoder of substreams like `source`, whose codec frames come at `rate`.
  /// - Parameter isMixed: whether it is one of several that are mixed.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channel modes that it lacks.
  convenience init(
    _ source: SubstreamSource, _ rate: AC4FrameRate, _ options: AC4DecoderOptions, isMixed: Bool
  ) throws(AC4Error) {
    try self.init(
      source.layout, rate, rate.timing, options, role: source.role, isMixed: isMixed,
      objects: source.objects)
  }

  /// A decoder of substreams with this layout and these frames.
  /// - Parameters:
  ///   - isMixed: whether it is one of several that are mixed.
  ///   - objects: how objects are made of the coded channels; `nil` for none.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channel modes that it lacks.
  init(
    _ layout: ElementLayout, _ rate: AC4FrameRate, _ timing: FrameTiming,
    _ options: AC4DecoderOptions = .init(), role: SubstreamRole = .main, isMixed: Bool = false,
    objects: ObjectCoding? = nil
  ) throws(AC4Error) {
    let reader = try ElementReader(layout, rate)
    let sizes = reader.spectra.sizes
    let transforms = TransformBank(sizes)
    let bank = FilterBank(slots: timing.slots)
    self.reader = reader
    self.timing = timing
    self.isMixed = isMixed
    assembler = SpectrumAssembler(sizes, channels: layout.channels)
    chains = (0..<layout.channels).map { _ in ChannelChain(timing, sizes, transforms, bank) }
    extender = ASPXStage(chains)
    coupling =
      layout.hasPairs
      ? ACPLStage(
        slots: timing.slots, decorrelators: layout.decorrelators, mayBeJoint: layout.mayBeJoint)
      : nil
    // Dynamic range control and the enhancement of channels don't apply to objects.
    processing =
      options.isPlain || objects != nil
      ? nil : layout.mode.map { SubbandProcessing($0, rate, timing, options) }
    control = ControlQueue(delay: timing.controlDelay) { reader.makeFrame() }
    metadata = SubstreamMetadataState(
      objects == nil ? layout.mode : nil, role, frameLength: timing.length)
    silence = WindowLayout(silent: sizes)
    let staged = (0..<layout.channels).map { _ in SubbandFrame(slots: timing.slots) }
    self.staged = staged
    upmix = objects.map { ObjectUpmix($0, staged, timing, bank, options) }
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
    try upmix?.readHead(&audio)
    try reader.read(&audio, isIFrame: info.isIFrame, into: frame)
    try upmix?.readTail(&audio, info)
    if isMixed || processing != nil {
      try bits.move(to: start + size * 8)
      // Unreadable metadata fail the frame: wrong levels and places are as audible as wrong spectra.
      let data = try metadata.read(&bits, info)
      processing?.prepare(data, dynamicRange, frame)
    }
    reader.commit()
    upmix?.commit(isExtended: frame.mode != .simple)
    current.sequenceCounter = info.sequenceCounter
    current.isConcealed = false
    if frame.plan.immersion != nil { current.unverified.insert(.immersive(frame.mode)) }
  }

  /// Tools that the frames so far needed and that no real stream has proved.
  var unverified: AC4UnverifiedTools { current.unverified.union(upmix?.unverified ?? []) }

  /// Puts silence in the place of a frame: what went in before fades out.
  func conceal() {
    current.isConcealed = true
    control.next.conceal()
    upmix?.conceal()
    metadata.skip()
  }

  /// Decodes the frame that was read or concealed up to its subbands, and applies the control data
  /// whose time has come.
  func stage() {
    if current.isConcealed {
      assembler.clear()
    } else {
      assembler.assemble(reader.spectra, sequenceCounter: current.sequenceCounter)
      if let immersion = control.next.plan.immersion, !control.next.mode.makesChannels {
        assembler.split(immersion)
      }
    }
    for (index, chain) in chains.enumerated() {
      let track = current.isConcealed ? nil : reader.spectra.channelTracks[index]
      chain.analyse(
        track.map { reader.spectra.tracks[$0].layout } ?? silence, assembler.spectrum(index))
    }
    control.advance()
    extender.begin()
    current.isStaged = isAlwaysStaged
    if let due = control.due { applyControl(due) } else if isAlwaysStaged { copy() }
    upmix?.apply()
  }

  /// Whether the subbands of all frames have to be in ``staged``.
  private var isAlwaysStaged: Bool { isMixed || upmix != nil }

  /// Synthesises the staged frame into one frame length of samples for each channel, or for low frequencies and each
  /// object.
  func finish(into output: (Int) -> UnsafeMutablePointer<Float>) {
    if let upmix {
      guard let low = upmix.lowFrequency else { return upmix.synthesise(into: output) }
      chains[low].synthesise(staged[low], into: output(0))
      return upmix.synthesise { output($0 + 1) }
    }
    guard current.isStaged else {
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
    upmix?.changeSource()
    metadata.forgetSettings()
  }

  /// Forgets everything.
  func reset() {
    changeSource()
    for chain in chains { chain.reset() }
    coupling?.reset()
    processing?.reset()
    upmix?.reset()
    metadata.skip()
    control.reset()
    current.gains = []
  }

  /// Applies a frame's control data to the current subbands.
  private func applyControl(_ frame: ElementFrame) {
    if !frame.isConcealed, frame.mode != .simple { extender.apply(frame) }
    let isCoupled = frame.isConcealed ? coupling?.isActive == true : frame.mode.makesChannels
    if !frame.isConcealed { current.gains = frame.plan.immersion?.gains ?? [] }
    current.isStaged =
      isAlwaysStaged || isCoupled || processing != nil || !current.gains.isEmpty
    guard current.isStaged else {
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
    for (channel, gain) in current.gains.enumerated() where gain != 1 {
      staged[channel].scale(by: gain)
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

/// The facts of the table of contents that decoding one substream needs.
struct SubstreamInfo {
  /// Whether the substream can be read without earlier frames.
  let isIFrame: Bool
  /// The frame's `sequence_counter`.
  let sequenceCounter: Int
  /// `sus_ver`: 0 when the substream itself carries level and dynamic range data, else 1.
  var syntaxVersion = 1
  /// The timing that the group's substream of object metadata sent last; `nil` for none.
  var objectTiming: ObjectTiming?
  /// Whether the presentation is an alternative one.
  var isAlternative = false
}

/// Frames of control data that wait until the signal has passed the decoder's delays
/// (`d_ctrl`, TS 103 190-1, 5.6.2).
struct ControlQueue<Frame: AnyObject> {
  /// Memory of the waiting frames, which is used in turn.
  private let frames: [Frame]
  /// Frames that were put in since the start.
  private var count = 0

  /// A queue in which each frame waits for `delay` more; `make` makes the memory of one.
  init(delay: Int, _ make: () -> Frame) {
    frames = (0...delay).map { _ in make() }
  }

  /// The frame that is read next: it overwrites the oldest.
  var next: Frame { frames[count % frames.count] }

  /// Puts ``next`` into the queue.
  mutating func advance() { count += 1 }

  /// The frame whose time has come; `nil` in the first frames of a stream.
  ///
  /// The oldest frame is due, which ``next`` overwrites.
  var due: Frame? { count < frames.count ? nil : frames[count % frames.count] }

  /// Forgets all frames.
  mutating func reset() { count = 0 }
}

/// The metadata of one substream, frame by frame.
struct SubstreamMetadataState {
  /// The metadata of the frame read last; `nil` before the first and for a concealed one.
  private(set) var current: AC4SubstreamMetadata?

  private let mode: AC4ChannelMode?
  private let role: SubstreamRole
  private let frameLength: Int
  private let books = MetadataBooks()
  private var reader = SubstreamMetadataReader()

  /// The state before the first frame of a substream whose codec frames have `frameLength` samples.
  /// - Parameter mode: its channels; `nil` for objects.
  init(_ mode: AC4ChannelMode?, _ role: SubstreamRole, frameLength: Int) {
    self.mode = mode
    self.role = role
    self.frameLength = frameLength
  }

  /// Reads `metadata` of the next frame. Nothing changes when it throws.
  mutating func read(
    _ bits: inout BitReader, _ info: SubstreamInfo
  ) throws(AC4Error) -> AC4SubstreamMetadata {
    let context = MetadataContext(
      mode: mode, syntaxVersion: info.syntaxVersion, isIFrame: info.isIFrame,
      isAssociated: role == .associated, isDialogue: role == .dialogue,
      frameLength: frameLength, books: books)
    var renewed = reader
    let data = try renewed.read(&bits, context)
    reader = renewed
    current = data
    return data
  }

  /// Leaves out a frame that couldn't be read; settings of the last I-frame stay.
  mutating func skip() { current = nil }

  /// Forgets the settings of the last I-frame.
  mutating func forgetSettings() { reader = SubstreamMetadataReader() }
}
