// SPDX-License-Identifier: Apache-2.0

/// Reads `audio_data` of one substream (TS 103 190-1, 4.2.6).
///
/// A frame that can't be read changes nothing for later ones: only ``commit()`` renews what they depend on.
final class ElementReader {
  /// The spectra of the frame read last.
  let spectra: ElementSpectra

  private let layout: ElementLayout
  /// For each codec mode which channels its elements belong to.
  private let plans: [ElementPlan]
  /// The plan of the frame read last.
  private var plan: ElementPlan
  private let extensionBooks = ASPXBooks()
  private let couplingBooks = ACPLBooks()
  private let jointBooks = AJCCBooks()
  /// A-SPX slots per frame.
  private let steps: Int
  /// Whether the stream belongs to the 48 kHz family.
  private let is48kHz: Bool
  /// State after the last frame that was committed.
  private let committed: ElementState
  /// State after the frame read last.
  private let pending: ElementState

  /// A reader of one substream from its first I-frame on.
  /// - Throws: ``AC4Error/unsupported(_:)`` for modes beyond 7.1.4.
  init(_ layout: ElementLayout, _ rate: AC4FrameRate) throws(AC4Error) {
    if case .channels(let mode, _) = layout, mode.rawValue > 10 {
      throw .unsupported("channel mode \(mode.name)")
    }
    self.layout = layout
    plans = layout.plans
    plan = plans[0]
    spectra = ElementSpectra(
      TransformSizes(frameLength: rate.codedFrameLength), channels: layout.channels)
    steps = rate.timing.steps
    is48kHz = rate.is48kHz
    let extensions = plans.map(\.extensions.count).max() ?? 0
    committed = ElementState(steps: steps, extensions: extensions)
    pending = ElementState(steps: steps, extensions: extensions)
  }

  /// A place for the control data of a frame of this substream.
  func makeFrame() -> ElementFrame {
    ElementFrame(plans[0], extensions: pending.extensions.count)
  }

  /// Reads the element: its spectra into ``spectra``, the rest into `frame`.
  func read(
    _ bits: inout BitReader, isIFrame: Bool, into frame: ElementFrame
  ) throws(AC4Error) {
    pending.copy(committed)
    frame.companding = Companding()
    frame.extensionCount = 0
    frame.isConcealed = false
    let mode = try readMode(&bits)
    plan = plans[mode.rawValue]
    frame.plan = plan
    spectra.begin(silent: plan.silent)
    try readConfigurations(&bits, isIFrame, mode)
    // The two stand in the other order where signals have no loudspeakers.
    let beginsWithCompanding = layout.mode == nil
    if beginsWithCompanding { try readCompanding(&bits, frame) }
    if let channel = plan.lowFrequency { try spectra.readLowFrequency(&bits, to: channel) }
    if !beginsWithCompanding { try readCompanding(&bits, frame) }
    try readTracks(&bits)
    for channels in plan.extensions {
      try readExtension(&bits, isIFrame, channels.count, frame)
    }
    if let immersion = plan.immersion { try readBeside(&bits, immersion) }
    if plan.codecMode == .joint {
      try frame.joint.read(
        &bits, jointBooks, history: pending.jointValues.base, known: &pending.jointForm)
    }
    try readCouplings(&bits, frame)
  }

  private func readCompanding(
    _ bits: inout BitReader, _ frame: ElementFrame
  ) throws(AC4Error) {
    guard !plan.companded.isEmpty else { return }
    frame.companding = try Companding(&bits, channels: plan.companded.count)
  }

  /// The element of the layout, without its extension and coupling.
  private func readTracks(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.immersion == nil else { return try readImmersive(&bits) }
    guard case .channels(let channelMode, _) = layout else { return try readSignals(&bits) }
    switch channelMode.rawValue {
    case 0: try spectra.readMono(&bits, to: 0)
    case 1 where plan.codecMode.isCoupled: try readCoupledPair(&bits)
    case 1: try spectra.readPair(&bits, to: (0, 1))
    case 2: try readThree(&bits)
    case 3 where plan.codecMode.isCoupled, 4 where plan.codecMode.isCoupled:
      try readCoupledFive(&bits)
    case 3, 4: try readFive(&bits)
    case _ where plan.codecMode.isCoupled: try readCoupledSeven(&bits)
    default: try readSeven(&bits)
    }
  }

  /// Makes the state after the frame read last the one that the next frame builds on.
  func commit() { committed.copy(pending) }

  /// Forgets all earlier frames.
  func reset() { committed.reset() }

  /// `mono_codec_mode`, `stereo_codec_mode`, `3_0_codec_mode`, `5_X_codec_mode` or `7_X_codec_mode`.
  private func readMode(_ bits: inout BitReader) throws(AC4Error) -> CodecMode {
    if case .immersive = layout, try bits.flag() {
      return .joint
    }
    guard let mode = CodecMode(rawValue: try bits.read(layout.modeBits)),
      plans.indices.contains(mode.rawValue)
    else { throw .damaged("a reserved codec mode") }
    return mode
  }

  /// Reads the configurations of an I-frame. Any other frame must have the codec mode of the last I-frame,
  /// or one that needs no configuration.
  private func readConfigurations(
    _ bits: inout BitReader, _ isIFrame: Bool, _ mode: CodecMode
  ) throws(AC4Error) {
    if isIFrame {
      // Differences of one codec mode don't refer to values of another.
      if pending.mode != mode { pending.forgetValues() }
      pending.mode = mode
      pending.configuration = mode == .simple ? nil : try ASPXConfiguration(&bits)
      pending.coupling = mode.isCoupled ? try ACPLConfiguration(&bits, mode) : nil
    } else if mode != .simple, pending.mode != mode {
      throw .needsIFrame("a new codec mode")
    }
  }

  // MARK: Elements

  /// Spectra of `immersive_channel_element` ahead of its A-SPX data: left, right, centre, surrounds and the tops in front.
  private func readImmersive(_ bits: inout BitReader) throws(AC4Error) {
    if try readCore(&bits) { try spectra.readMono(&bits, to: 2) }
    guard plan.codecMode != .joint else { return }
    let isCombined = try bits.flag()
    let base = spectra.parameterCount
    if isCombined { try spectra.readAddedParameters(&bits, plan) }
    try spectra.readTwoTracks(&bits, to: (plan.added[0], plan.added[1]))
    if isCombined { try spectra.combineAdded(plan, base) }
  }

  /// Spectra of `immersive_channel_element` behind its A-SPX data: backs and tops behind, which stand beside the surrounds
  /// and the tops in front.
  private func readBeside(
    _ bits: inout BitReader, _ immersion: ElementPlan.Immersion
  ) throws(AC4Error) {
    guard plan.codecMode != .coupled, plan.codecMode != .joint else { return }
    let pairs = immersion.pairs
    for first in [0, 2] {
      try spectra.readTwoTracks(&bits, to: (pairs[first].difference, pairs[first + 1].difference))
    }
    for pair in pairs { try spectra.readPrediction(&bits, pair.sum, pair.difference) }
  }

  /// Spectra of a `var_channel_element` (TS 103 190-2, 6.2.5): pairs, of which the last and a single signal behind it
  /// may have a matrix of three.
  private func readSignals(_ bits: inout BitReader) throws(AC4Error) {
    let pairs = plan.pairsOfSignals
    let signals = layout.channels - (plan.lowFrequency == nil ? 0 : 1)
    let isOdd = signals % 2 == 1
    for pair in isOdd ? pairs.dropLast() : pairs[...] {
      try spectra.readTwoTracks(&bits, to: (pair[0], pair[1]))
    }
    guard isOdd else { return }
    guard let last = pairs.last else { return try spectra.readMono(&bits, to: 0) }
    // An odd number of signals ends with the three that become channels 0 to 2.
    if try bits.flag() { return try spectra.readThreeTracks(&bits) }
    try spectra.readTwoTracks(&bits, to: (last[0], last[1]))
    try spectra.readMono(&bits, to: 2)
  }

  /// Spectra of a coupled `channel_pair_element`: mid and side, or a carrier alone.
  private func readCoupledPair(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.codecMode == .partlyCoupled else { return try spectra.readMono(&bits, to: 0) }
    try spectra.readMidAndSide(&bits)
  }

  /// Spectra of a coupled `5_X_channel_element`.
  private func readCoupledFive(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.codecMode != .widelyCoupled else { return try spectra.readPair(&bits, to: (0, 1)) }
    let hasMono = try !bits.flag()
    if hasMono {
      try spectra.readTwoTracks(&bits, to: (0, 1))
    } else {
      try spectra.readThreeTracks(&bits)
    }
    try readResiduals(&bits)
    if hasMono { try spectra.readMono(&bits, to: 2) }
  }

  /// Spectra of a coupled `7_X_channel_element`.
  private func readCoupledSeven(_ bits: inout BitReader) throws(AC4Error) {
    let hasMono = try readCore(&bits)
    try readResiduals(&bits)
    if hasMono { try spectra.readMono(&bits, to: 2) }
  }

  /// The residuals that ASPX_ACPL_1 codes below `acpl_qmf_band`.
  private func readResiduals(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.codecMode == .partlyCoupled else { return }
    try spectra.readResiduals(&bits, plan.pairs)
  }

  /// Spectra of `3_0_channel_element`.
  private func readThree(_ bits: inout BitReader) throws(AC4Error) {
    if try bits.flag() {
      try spectra.readThreeTracks(&bits)
    } else {
      try spectra.readPair(&bits, to: (0, 1))
      try spectra.readMono(&bits, to: 2)
    }
  }

  /// Spectra of `5_X_channel_element`.
  private func readFive(_ bits: inout BitReader) throws(AC4Error) {
    if try readCore(&bits) { try spectra.readMono(&bits, to: 2) }
  }

  /// Spectra of `7_X_channel_element`.
  private func readSeven(_ bits: inout BitReader) throws(AC4Error) {
    let hasMono = try readCore(&bits)
    let isCombined = try bits.flag()
    let base = spectra.parameterCount
    if isCombined { try spectra.readAddedParameters(&bits, plan) }
    try spectra.readTwoTracks(&bits, to: (plan.added[0], plan.added[1]))
    if isCombined { try spectra.combineAdded(plan, base) }
    if hasMono { try spectra.readMono(&bits, to: 2) }
  }

  /// The first five channels as `coding_config` splits them; answers whether the centre follows as
  /// `mono_data`.
  private func readCore(_ bits: inout BitReader) throws(AC4Error) -> Bool {
    let (left, right) = (plan.surrounds[0], plan.surrounds[1])
    switch try bits.read(2) {
    case 0:
      // `2ch_mode`: front and surround of each side together, or left and right.
      if try bits.flag() {
        try spectra.readTwoTracks(&bits, to: (0, left))
        try spectra.readTwoTracks(&bits, to: (1, right))
      } else {
        try spectra.readTwoTracks(&bits, to: (0, 1))
        try spectra.readTwoTracks(&bits, to: (left, right))
      }
      return true
    case 1:
      try spectra.readThreeTracks(&bits)
      try spectra.readTwoTracks(&bits, to: (left, right))
      return false
    case 2:
      try spectra.readFourTracks(&bits, to: plan.four)
      return true
    default:
      try spectra.readFiveTracks(&bits, to: plan.five)
      return false
    }
  }

  /// One `aspx_data_1ch` or `aspx_data_2ch`.
  private func readExtension(
    _ bits: inout BitReader, _ isIFrame: Bool, _ count: Int, _ frame: ElementFrame
  ) throws(AC4Error) {
    guard let configuration = pending.configuration else { throw .needsIFrame("A-SPX data") }
    let context = ASPXContext(
      configuration: configuration, isIFrame: isIFrame, steps: steps, is48kHz: is48kHz,
      books: extensionBooks)
    let index = frame.extensionCount
    try frame.extensions[index].read(&bits, count: count, context, &pending.extensions[index])
    frame.extensionCount += 1
  }

  /// `acpl_data_1ch` or `acpl_data_2ch` of a coupled codec mode.
  private func readCouplings(_ bits: inout BitReader, _ frame: ElementFrame) throws(AC4Error) {
    guard plan.codecMode.isCoupled else { return }
    guard let configuration = pending.coupling else { throw .needsIFrame("coupling data") }
    for index in 0..<max(1, plan.pairs.count) {
      try frame.couplings[index].read(
        &bits, configuration, couplingBooks,
        history: pending.couplingValues.base + index * ACPLParameters.setLength)
    }
  }
}
