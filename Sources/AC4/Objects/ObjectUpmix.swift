// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal

/// The part of a substream that makes objects of its coded channels: what stands around the channel element in
/// `audio_data_ajoc` (TS 103 190-2, 6.2.3.4), joint object coding, and the objects' metadata.
final class ObjectUpmix {
  /// Control data of a frame, which wait until the signal has passed the decoder's delays.
  private final class Control {
    let frame: AJOCFrame
    /// Whether the frame couldn't be read.
    var isConcealed = false

    init(_ frame: AJOCFrame) { self.frame = frame }
  }

  /// The metadata of the decoded objects, low frequencies first.
  let metadata: ObjectPortion

  /// The coded channel with low frequencies, which pass beside the objects; `nil` without.
  let lowFrequency: Int?

  /// Tools that the frames so far needed and that no real stream has proved.
  private(set) var unverified: AC4UnverifiedTools = []
  /// Decibels by which the frame read last lets dialogue be raised; `nil` where no object is dialogue.
  var dialogueLimit: Double? { queue.next.frame.dialogueLimit }

  private let coding: ObjectCoding
  /// The metadata of the downmix; `nil` where that is a 5.X bed.
  private let downmix: ObjectPortion?
  private let reader: AJOCReader
  private let mixer: AJOCMixer
  private var queue: ControlQueue<Control>
  /// The coded channels that are mixed.
  private let inputs: [SubbandFrame]
  /// The subbands of the objects.
  private let decoded: [SubbandFrame]
  private let syntheses: [QMFSynthesis]
  private let slots: Int

  /// An upmix of the staged coded channels `staged`.
  init(
    _ coding: ObjectCoding, _ staged: [SubbandFrame], _ timing: FrameTiming, _ bank: FilterBank,
    _ options: AC4DecoderOptions
  ) {
    let (signals, objects) = (coding.signals, coding.objects)
    self.coding = coding
    lowFrequency = coding.lowFrequency
    metadata = ObjectPortion(objects: objects, bed: coding.bed.count, hasLFE: coding.hasLFE)
    downmix =
      coding.isStaticDownmix
      ? nil : ObjectPortion(objects: signals, bed: coding.downmixBed, hasLFE: coding.hasLFE)
    reader = AJOCReader(inputs: signals, objects: objects, slots: timing.slots)
    mixer = AJOCMixer(inputs: signals, objects: objects, slots: timing.slots)
    mixer.dialogueGain = options.dialogueGain
    queue = ControlQueue(delay: timing.controlDelay) {
      Control(AJOCFrame(inputs: signals, objects: objects))
    }
    inputs = coding.inputs.map { staged[$0] }
    decoded = (0..<objects).map { _ in SubbandFrame(slots: timing.slots) }
    syntheses = (0..<objects).map { _ in QMFSynthesis(bank) }
    slots = timing.slots
    if coding.isStaticDownmix { unverified.insert(.channelDownmix) }
    if coding.bed.count > 0 { unverified.insert(.bed) }
  }

  // MARK: Reading

  /// Reads what stands before the channel element.
  func readHead(_ bits: inout BitReader) throws(AC4Error) {
    // `dmx_active_signals_mask`: silent signals are coded all the same.
    if !coding.isStaticDownmix, try bits.flag() { try bits.skip(coding.signals) }
  }

  /// Reads what stands behind the channel element.
  func readTail(_ bits: inout BitReader, _ info: SubstreamInfo) throws(AC4Error) {
    if let downmix { try readDownmix(&bits, downmix, info) }
    let control = queue.next
    try reader.read(&bits, isIFrame: info.isIFrame, into: control.frame)
    try reader.readEnhancement(&bits, isIFrame: info.isIFrame, into: control.frame)
    control.isConcealed = false
    var sent: ObjectTiming?
    var other = info.objectTiming
    if try bits.flag() {
      sent = try ObjectTiming(&bits)
    } else if try bits.flag() {
      // `b_derive_timing_from_dmx`.
      other = downmix?.timing ?? other
    }
    try metadata.read(
      &bits, sent: sent, other: other, isIFrame: info.isIFrame, isAlternative: info.isAlternative)
  }

  private func readDownmix(
    _ bits: inout BitReader, _ downmix: ObjectPortion, _ info: SubstreamInfo
  ) throws(AC4Error) {
    let sent = try bits.flag() ? try ObjectTiming(&bits) : nil
    try downmix.read(
      &bits, sent: sent, other: info.objectTiming, isIFrame: info.isIFrame,
      isAlternative: info.isAlternative)
    // `b_oamd_extension_present`: how a bed is spread over loudspeakers.
    guard try bits.flag() else { return }
    let count = try bits.variableBits(3) + 1
    guard count <= bits.remaining / 8 else { throw .damaged("object extension of \(count) bytes") }
    try bits.skip(8 * count)
  }

  /// Makes the state after the frame read last the one that the next frame builds on.
  /// - Parameter isExtended: whether its signals use spectral extension.
  func commit(isExtended: Bool) {
    unverified.formUnion(queue.next.frame.unverified)
    if isExtended { unverified.insert(.signalExtension) }
    downmix?.commit()
    metadata.commit()
    reader.commit()
  }

  /// Puts a frame that couldn't be read into the place of the next one.
  func conceal() { queue.next.isConcealed = true }

  // MARK: Decoding

  /// Makes the subbands of the objects from those of the coded channels.
  func apply() {
    queue.advance()
    guard let due = queue.due else {
      // Nothing says yet what the objects are made of.
      mixer.clear(decoded)
      return
    }
    mixer.process(due.isConcealed ? nil : due.frame, inputs, into: decoded)
  }

  /// Synthesises one frame length of samples for each object, at `output` of its place among the full-band objects.
  func synthesise(into output: (Int) -> UnsafeMutablePointer<Float>) {
    for (object, synthesis) in syntheses.enumerated() {
      let (frame, samples) = (decoded[object], output(object))
      guard mixer.isHeard(object) else {
        synthesis.processSilence(into: samples, scale: 1 / QMF.fullScale)
        continue
      }
      synthesis.process(into: samples, scale: 1 / QMF.fullScale) {
        (UnsafePointer(frame.real.row($0)), UnsafePointer(frame.imaginary.row($0)))
      }
    }
  }

  /// Forgets the settings of earlier frames and the values that differences refer to, but not their sound.
  func changeSource() {
    downmix?.reset()
    metadata.reset()
    reader.reset()
  }

  /// Forgets everything.
  func reset() {
    changeSource()
    mixer.reset()
    queue.reset()
    for synthesis in syntheses { synthesis.reset() }
  }
}

/// How a substream codes its objects: what all of its frames must have in common.
struct ObjectCoding: Equatable {
  /// Most full-band objects that are decoded. Real streams have 20; a damaged table may list any number, and each costs
  /// a synthesis.
  static let limit = 64

  /// Whether the downmix is a 5.X bed, coded as channels.
  let isStaticDownmix: Bool
  /// Signals of the downmix, without low frequencies, 1…16.
  let signals: Int
  /// Full-band objects, 1…``limit``.
  let objects: Int
  /// Whether low frequencies are coded, too. They are the first object of the lists.
  let hasLFE: Bool
  /// Channels of the bed that the first objects make.
  let bed: BedList
  /// Number of the downmix's first signals that are channels of a bed.
  let downmixBed: Int

  /// The coding that the table of contents states.
  /// - Throws: ``AC4Error/unsupported(_:)`` for objects that aren't decoded.
  init(_ facts: AC4ObjectFacts) throws(AC4Error) {
    guard facts.isJointlyCoded else { throw .unsupported("objects without joint coding") }
    guard !facts.isIntermediateFormat else {
      throw .unsupported("intermediate spatial format (ISF)")
    }
    guard facts.objects <= ObjectCoding.limit else {
      throw .unsupported("\(facts.objects) objects (at most \(ObjectCoding.limit) are decoded)")
    }
    isStaticDownmix = facts.isStaticDownmix
    (signals, objects, hasLFE) = (facts.downmixSignals, facts.objects, facts.hasLFE)
    (bed, downmixBed) = (facts.bed, facts.downmixBed.count)
  }

  /// Layout of the element before the objects.
  var layout: ElementLayout {
    guard isStaticDownmix else { return .signals(signals, hasLFE: hasLFE) }
    return .channels(hasLFE ? .fiveOne : .fiveZero, addsToSurrounds: false)
  }

  /// Name of the downmix in words.
  var downmixName: String {
    guard !isStaticDownmix else { return hasLFE ? "5.1" : "5.0" }
    return "\(signals) signals" + (hasLFE ? " and LFE" : "")
  }

  /// The coded channel that each input of joint object coding is.
  var inputs: [Int] {
    guard isStaticDownmix else { return Array(0..<signals) }
    // Low frequencies stand between the centre and the surrounds.
    return hasLFE ? [0, 1, 2, 4, 5] : Array(0..<5)
  }

  /// The coded channel with low frequencies; `nil` without.
  var lowFrequency: Int? {
    guard hasLFE else { return nil }
    return isStaticDownmix ? 3 : signals
  }

  /// Decoded signals, low frequencies first.
  var outputs: Int { objects + (hasLFE ? 1 : 0) }

  /// The bed's channel of each decoded signal; `nil` for a dynamic object.
  var channels: [BedChannel?] {
    let dynamic = [BedChannel?](repeating: nil, count: objects - bed.count)
    return (hasLFE ? [.lowFrequency] : []) + bed.channels + dynamic
  }
}
