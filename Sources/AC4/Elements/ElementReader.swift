/// Reads `audio_data` of one substream (TS 103 190-1, 4.2.6).
///
/// A frame that can't be read leaves no trace: what later frames depend on is renewed by
/// ``commit()`` alone.
final class ElementReader {
  /// Transform lengths and bands.
  let sizes: TransformSizes
  /// Channels that the substream codes.
  let channelMode: AC4ChannelMode
  /// The tracks of the frame read last.
  let tracks: [SpectralTrack]
  /// How pairs of them are combined.
  let parameters = (0..<8).map { _ in StereoParameters() }
  /// The combinations of the frame read last, in order.
  private(set) var operations: [PairOperation] = []
  /// Combinations of channels, not tracks, that come after them.
  private(set) var channelOperations: [PairOperation] = []
  /// Track of each channel, once combined; `nil` where none is coded.
  private(set) var channelTracks: [Int?]
  /// Tracks of the frame read last.
  private(set) var trackCount = 0

  /// Which channels the elements of each codec mode belong to.
  private let plans: [ElementPlan]
  private var plan: ElementPlan
  private let books = SpectralBooks()
  private let extensionBooks = ASPXBooks()
  private let couplingBooks = ACPLBooks()
  /// Width of the codec mode by channel mode.
  private static let modeBits = [1, 2, 1, 3, 3, 2, 2, 2, 2, 2, 2]
  private let steps: Int
  private let is48kHz: Bool
  private var known = ElementState()
  private var next = ElementState()
  private var knownExtensions: [ASPXParserState]
  private var nextExtensions: [ASPXParserState]
  private var parameterCount = 0
  /// What the coupling values of the last frame ended with, for two elements.
  private let knownCoupling = Store<Int16>(0, count: 2 * ACPLParameters.setLength)
  private let nextCoupling = Store<Int16>(0, count: 2 * ACPLParameters.setLength)

  /// A reader of one substream from its first I-frame on.
  /// - Parameter addsToSurrounds: `add_ch_base` of the substream.
  /// - Throws: ``AC4Error/unsupported(_:)`` for modes beyond 7.1.
  init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, addsToSurrounds: Bool = false
  ) throws(AC4Error) {
    guard mode.rawValue <= 10 else { throw .unsupported("channel mode \(mode.name)") }
    channelMode = mode
    plans = CodecMode.allCases.map {
      ElementPlan(mode, $0, addsToSurrounds: addsToSurrounds)
    }
    plan = plans[0]
    let sizes = TransformSizes(frameLength: rate.codedFrameLength)
    self.sizes = sizes
    steps = rate.timing.steps
    is48kHz = rate.is48kHz
    tracks = (0..<mode.channels).map { _ in SpectralTrack(sizes) }
    channelTracks = Array(0..<mode.channels)
    let state = ASPXParserState(steps: rate.timing.steps)
    knownExtensions = Array(
      repeating: state, count: plans.map(\.extensions.count).max() ?? 0)
    nextExtensions = knownExtensions
    operations.reserveCapacity(8)
    channelOperations.reserveCapacity(2)
  }

  /// A place for what a frame of this substream says.
  func makeFrame() -> ElementFrame {
    ElementFrame(plans[0], extensions: knownExtensions.count)
  }

  /// Reads the element into ``tracks``, ``parameters`` and `frame`.
  func read(
    _ bits: inout BitReader, isIFrame: Bool, into frame: ElementFrame
  ) throws(AC4Error) {
    next = known
    for index in knownExtensions.indices { nextExtensions[index] = knownExtensions[index] }
    nextCoupling.base.update(from: knownCoupling.base, count: knownCoupling.count)
    frame.companding = Companding()
    frame.extensionCount = 0
    frame.isConcealed = false
    operations.removeAll(keepingCapacity: true)
    channelOperations.removeAll(keepingCapacity: true)
    trackCount = 0
    parameterCount = 0
    let mode = try readMode(&bits)
    plan = plans[mode.rawValue]
    frame.plan = plan
    try readConfigurations(&bits, isIFrame, mode)
    if channelMode.rawValue >= 3 { try readLowFrequency(&bits) }
    if !plan.companded.isEmpty {
      frame.companding = try Companding(&bits, channels: plan.companded.count)
    }
    for channel in plan.silent { channelTracks[channel] = nil }
    try readTracks(&bits)
    for channels in plan.extensions {
      try readExtension(&bits, isIFrame, channels.count, frame)
    }
    try readCouplings(&bits, frame)
  }

  private func readTracks(_ bits: inout BitReader) throws(AC4Error) {
    switch channelMode.rawValue {
    case 0: try readMono(&bits, to: 0)
    case 1 where plan.codecMode.isCoupled: try readCoupledPair(&bits)
    case 1: try readPair(&bits, to: (0, 1))
    case 2: try readThree(&bits)
    case 3 where plan.codecMode.isCoupled, 4 where plan.codecMode.isCoupled:
      try readCoupledFive(&bits)
    case 3, 4: try readFive(&bits)
    case _ where plan.codecMode.isCoupled: try readCoupledSeven(&bits)
    default: try readSeven(&bits)
    }
  }

  /// Makes what the last frame said valid for the ones after it.
  func commit() {
    known = next
    for index in knownExtensions.indices { knownExtensions[index] = nextExtensions[index] }
    knownCoupling.base.update(from: nextCoupling.base, count: nextCoupling.count)
  }

  /// Forgets all earlier frames.
  func reset() {
    known = ElementState()
    knownCoupling.fill(0)
    for index in knownExtensions.indices { knownExtensions[index] = ASPXParserState(steps: steps) }
  }

  /// `mono_codec_mode`, `stereo_codec_mode`, `3_0_codec_mode` and so on.
  private func readMode(_ bits: inout BitReader) throws(AC4Error) -> CodecMode {
    let width = ElementReader.modeBits[channelMode.rawValue]
    guard let mode = CodecMode(rawValue: try bits.read(width)) else {
      throw .damaged("a reserved codec mode")
    }
    return mode
  }

  /// The configurations of an I-frame; on other frames checks that the mode has one.
  private func readConfigurations(
    _ bits: inout BitReader, _ isIFrame: Bool, _ mode: CodecMode
  ) throws(AC4Error) {
    if isIFrame {
      if next.mode != mode { forgetValues() }
      next.mode = mode
      next.configuration = mode == .simple ? nil : try ASPXConfiguration(&bits)
      next.coupling = mode.isCoupled ? try ACPLConfiguration(&bits, mode) : nil
    } else if mode != .simple, next.mode != mode {
      throw .needsIFrame("a new codec mode")
    }
  }

  /// Differences don't reach over a change of codec mode.
  private func forgetValues() {
    for index in nextExtensions.indices { nextExtensions[index] = ASPXParserState(steps: steps) }
    nextCoupling.fill(0)
  }

  // MARK: Elements

  /// What a coupled `channel_pair_element` holds: mid and side, or a carrier alone.
  private func readCoupledPair(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.codecMode == .partlyCoupled else { return try readMono(&bits, to: 0) }
    guard try bits.flag() else {
      try readFrontEnd(&bits)
      let mid = try WindowLayout(&bits, sizes)
      try readFrontEnd(&bits)
      let side = try WindowLayout(&bits, sizes, .side)
      try readTrack(&bits, 0, mid)
      try readTrack(&bits, 1, side)
      return
    }
    let layout = try WindowLayout(&bits, sizes, .both)
    let parameter = try readParameters(&bits, layout)
    let mid = try readTrack(&bits, 0, layout)
    let side = try readTrack(&bits, 1, layout.side)
    operations.append(PairOperation(parameter: parameter, first: mid, second: side))
  }

  /// What a coupled `5_X_channel_element` holds.
  private func readCoupledFive(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.codecMode != .widelyCoupled else { return try readPair(&bits, to: (0, 1)) }
    let hasMono = try !bits.flag()
    if hasMono { try readTwoTracks(&bits, to: (0, 1)) } else { try readThreeTracks(&bits) }
    try readResiduals(&bits)
    if hasMono { try readMono(&bits, to: 2) }
  }

  /// What a coupled `7_X_channel_element` holds.
  private func readCoupledSeven(_ bits: inout BitReader) throws(AC4Error) {
    let hasMono = try readCore(&bits)
    try readResiduals(&bits)
    if hasMono { try readMono(&bits, to: 2) }
  }

  /// What is coded beside the carriers of two couplings up to a subband, each with the windows of
  /// its carrier.
  private func readResiduals(_ bits: inout BitReader) throws(AC4Error) {
    guard plan.codecMode == .partlyCoupled else { return }
    let carriers = (
      channelTracks[plan.pairs[0].carrier] ?? 0, channelTracks[plan.pairs[1].carrier] ?? 0
    )
    let layouts = (tracks[carriers.0].layout, tracks[carriers.1].layout)
    let largest = Int(max(layouts.0.transforms.max(), layouts.1.transforms.max()))
    let count = try bits.read(TransformSizes.sideBits(length: sizes.length(largest)))
    guard count <= sizes.bandCount(largest) else { throw .damaged("\(count) residual bands") }
    let first = layouts.0.reaching(count, of: largest, sizes)
    let second = layouts.1.reaching(count, of: largest, sizes)
    let parameters = (try readParameters(&bits, first), try readParameters(&bits, second))
    let left = try readTrack(&bits, plan.pairs[0].other, first)
    let right = try readTrack(&bits, plan.pairs[1].other, second)
    operations.append(
      PairOperation(
        parameter: parameters.0, first: carriers.0, second: left, framing: left))
    operations.append(
      PairOperation(
        parameter: parameters.1, first: carriers.1, second: right, framing: right))
  }

  /// What `3_0_channel_element` holds beside its extension.
  private func readThree(_ bits: inout BitReader) throws(AC4Error) {
    if try bits.flag() {
      try readThreeTracks(&bits)
    } else {
      try readPair(&bits, to: (0, 1))
      try readMono(&bits, to: 2)
    }
  }

  /// What `5_X_channel_element` holds beside its extension.
  private func readFive(_ bits: inout BitReader) throws(AC4Error) {
    if try readCore(&bits) { try readMono(&bits, to: 2) }
  }

  /// What `7_X_channel_element` holds beside its extension.
  private func readSeven(_ bits: inout BitReader) throws(AC4Error) {
    let hasMono = try readCore(&bits)
    let isCombined = try bits.flag()
    let base = parameterCount
    if isCombined {
      for partner in plan.partners {
        _ = try readParameters(&bits, tracks[channelTracks[partner] ?? 0].layout)
      }
    }
    try readTwoTracks(&bits, to: (plan.added[0], plan.added[1]))
    if isCombined { try combineAdded(base) }
    if hasMono { try readMono(&bits, to: 2) }
  }

  /// Lays the operations on the added pair and its partners down.
  private func combineAdded(_ parameter: Int) throws(AC4Error) {
    for (place, partner) in plan.partners.enumerated() {
      let added = plan.added[place]
      guard let first = channelTracks[partner], let second = channelTracks[added],
        tracks[first].layout.hasSameWindows(as: tracks[second].layout)
      else { throw .damaged("an added pair with windows of its own") }
      // Groups and bands may differ, so only whole windows of lines lie side by side.
      channelOperations.append(
        PairOperation(
          parameter: parameter + place, first: partner, second: added, framing: first))
    }
  }

  /// The first five channels; answers whether the centre follows as `mono_data`.
  private func readCore(_ bits: inout BitReader) throws(AC4Error) -> Bool {
    let (left, right) = (plan.surrounds[0], plan.surrounds[1])
    switch try bits.read(2) {
    case 0:
      if try bits.flag() {
        try readTwoTracks(&bits, to: (0, left))
        try readTwoTracks(&bits, to: (1, right))
      } else {
        try readTwoTracks(&bits, to: (0, 1))
        try readTwoTracks(&bits, to: (left, right))
      }
      return true
    case 1:
      try readThreeTracks(&bits)
      try readTwoTracks(&bits, to: (left, right))
      return false
    case 2:
      try readFourTracks(&bits)
      return true
    default:
      try readFiveTracks(&bits)
      return false
    }
  }

  // MARK: Data of one to five tracks

  /// `mono_data(1)`: the low-frequency channel.
  private func readLowFrequency(_ bits: inout BitReader) throws(AC4Error) {
    guard let channel = plan.lowFrequency else { return }
    try readTrack(&bits, channel, try WindowLayout(lowFrequency: &bits, sizes))
  }

  /// `mono_data(0)`.
  private func readMono(_ bits: inout BitReader, to channel: Int) throws(AC4Error) {
    try readFrontEnd(&bits)
    try readTrack(&bits, channel, try WindowLayout(&bits, sizes))
  }

  /// `stereo_data`.
  private func readPair(_ bits: inout BitReader, to channels: (Int, Int)) throws(AC4Error) {
    if try bits.flag() {
      let layout = try WindowLayout(&bits, sizes)
      let parameter = try readParameters(&bits, layout)
      let first = try readTrack(&bits, channels.0, layout)
      let second = try readTrack(&bits, channels.1, layout)
      operations.append(PairOperation(parameter: parameter, first: first, second: second))
      return
    }
    try readFrontEnd(&bits)
    let left = try WindowLayout(&bits, sizes)
    try readFrontEnd(&bits)
    let right = try WindowLayout(&bits, sizes)
    try readTrack(&bits, channels.0, left)
    try readTrack(&bits, channels.1, right)
  }

  /// `two_channel_data`.
  private func readTwoTracks(_ bits: inout BitReader, to channels: (Int, Int)) throws(AC4Error) {
    let isCombined = try bits.flag()
    let layout = try WindowLayout(&bits, sizes)
    guard isCombined else {
      let other = try WindowLayout(&bits, sizes)
      try readTrack(&bits, channels.0, layout)
      try readTrack(&bits, channels.1, other)
      return
    }
    let parameter = try readParameters(&bits, layout)
    let first = try readTrack(&bits, channels.0, layout)
    let second = try readTrack(&bits, channels.1, layout)
    operations.append(PairOperation(parameter: parameter, first: first, second: second))
  }

  /// `three_channel_data`.
  private func readThreeTracks(_ bits: inout BitReader) throws(AC4Error) {
    let layout = try WindowLayout(&bits, sizes)
    let pairs = try readSelection(&bits)
    let base = try readParameters(&bits, layout)
    _ = try readParameters(&bits, layout)
    let start = trackCount
    for channel in 0..<3 { try readTrack(&bits, channel, layout) }
    combine(pairs, base, start)
  }

  /// `four_channel_data`: left, right and the surrounds.
  private func readFourTracks(_ bits: inout BitReader) throws(AC4Error) {
    let layout = try WindowLayout(&bits, sizes)
    let base = parameterCount
    for _ in 0..<4 { _ = try readParameters(&bits, layout) }
    let start = trackCount
    for channel in plan.four { try readTrack(&bits, channel, layout) }
    combine(PairOperation.fourTracks, base, start)
  }

  /// `five_channel_data`.
  private func readFiveTracks(_ bits: inout BitReader) throws(AC4Error) {
    let layout = try WindowLayout(&bits, sizes)
    let pairs = try readSelection(&bits)
    let base = parameterCount
    for _ in 0..<5 { _ = try readParameters(&bits, layout) }
    let start = trackCount
    for channel in plan.five { try readTrack(&bits, channel, layout) }
    combine(pairs, base, start)
    combine(PairOperation.fiveTracks, base + 2, start)
  }

  private func combine(
    _ pairs: [(first: Int, second: Int)], _ parameter: Int, _ start: Int
  ) {
    for (place, pair) in pairs.enumerated() {
      operations.append(
        PairOperation(
          parameter: parameter + place, first: start + pair.first, second: start + pair.second))
    }
  }

  /// `chel_matsel`.
  private func readSelection(
    _ bits: inout BitReader
  ) throws(AC4Error) -> [(first: Int, second: Int)] {
    let selection = try bits.read(4)
    guard selection < PairOperation.threeTracks.count else {
      throw .damaged("channel matrix \(selection)")
    }
    return PairOperation.threeTracks[selection]
  }

  private func readFrontEnd(_ bits: inout BitReader) throws(AC4Error) {
    if try bits.flag() { throw .unsupported("speech spectral front end (SSF)") }
  }

  /// `chparam_info`; answers which set it went to.
  private func readParameters(
    _ bits: inout BitReader, _ layout: WindowLayout
  ) throws(AC4Error) -> Int {
    let index = parameterCount
    try parameters[index].read(&bits, layout, books)
    parameterCount += 1
    return index
  }

  /// `sf_data` of one channel; answers which track it went to.
  @discardableResult
  private func readTrack(
    _ bits: inout BitReader, _ channel: Int, _ layout: WindowLayout
  ) throws(AC4Error) -> Int {
    let index = trackCount
    try tracks[index].read(&bits, layout, books)
    channelTracks[channel] = index
    trackCount += 1
    return index
  }

  private func readExtension(
    _ bits: inout BitReader, _ isIFrame: Bool, _ count: Int, _ frame: ElementFrame
  ) throws(AC4Error) {
    guard let configuration = next.configuration else { throw .needsIFrame("A-SPX data") }
    let context = ASPXContext(
      configuration: configuration, isIFrame: isIFrame, steps: steps, is48kHz: is48kHz,
      books: extensionBooks)
    let index = frame.extensionCount
    try frame.extensions[index].read(&bits, count: count, context, &nextExtensions[index])
    frame.extensionCount += 1
  }

  /// The coupling data of the element, if it has any.
  private func readCouplings(_ bits: inout BitReader, _ frame: ElementFrame) throws(AC4Error) {
    guard plan.codecMode.isCoupled else { return }
    guard let configuration = next.coupling else { throw .needsIFrame("coupling data") }
    for index in 0..<max(1, plan.pairs.count) {
      try frame.couplings[index].read(
        &bits, configuration, couplingBooks,
        history: nextCoupling.base + index * ACPLParameters.setLength)
    }
  }
}
