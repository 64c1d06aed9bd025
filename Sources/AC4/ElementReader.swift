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
  let parameters = [StereoParameters()]
  /// Whether the pair of tracks goes through ``parameters``.
  private(set) var isCombined = false

  private let books = SpectralBooks()
  private let extensionBooks = ASPXBooks()
  private let steps: Int
  private let is48kHz: Bool
  private var known = ElementState()
  private var next = ElementState()
  private var knownExtensions: [ASPXParserState]
  private var nextExtensions: [ASPXParserState]

  /// A reader of one substream from its first I-frame on.
  /// - Throws: ``AC4Error/unsupported(_:)`` for modes beyond stereo.
  init(_ mode: AC4ChannelMode, _ rate: AC4FrameRate) throws(AC4Error) {
    guard mode.rawValue <= 1 else { throw .unsupported("channel mode \(mode.name)") }
    channelMode = mode
    let sizes = TransformSizes(frameLength: rate.codedFrameLength)
    self.sizes = sizes
    steps = rate.timing.steps
    is48kHz = rate.is48kHz
    tracks = (0..<mode.channels).map { _ in SpectralTrack(sizes) }
    knownExtensions = [ASPXParserState(steps: steps)]
    nextExtensions = knownExtensions
  }

  /// A place for what a frame of this substream says.
  func makeFrame() -> ElementFrame { ElementFrame(extensions: knownExtensions.count) }

  /// Reads the element into ``tracks``, ``parameters`` and `frame`.
  func read(
    _ bits: inout BitReader, isIFrame: Bool, into frame: ElementFrame
  ) throws(AC4Error) {
    next = known
    for index in knownExtensions.indices { nextExtensions[index] = knownExtensions[index] }
    frame.companding = Companding()
    frame.extensionCount = 0
    if channelMode == .mono {
      try readMono(&bits, isIFrame, frame)
    } else {
      try readStereo(&bits, isIFrame, frame)
    }
  }

  /// Makes what the last frame said valid for the ones after it.
  func commit() {
    known = next
    for index in knownExtensions.indices { knownExtensions[index] = nextExtensions[index] }
  }

  /// Forgets all earlier frames.
  func reset() {
    known = ElementState()
    for index in knownExtensions.indices { knownExtensions[index] = ASPXParserState(steps: steps) }
  }

  /// `single_channel_element`.
  private func readMono(
    _ bits: inout BitReader, _ isIFrame: Bool, _ frame: ElementFrame
  ) throws(AC4Error) {
    frame.mode = try bits.flag() ? .extended : .simple
    try readConfigurations(&bits, isIFrame, frame.mode)
    if frame.mode == .extended { frame.companding = try Companding(&bits, channels: 1) }
    isCombined = false
    try readFrontEnd(&bits)
    try readTrack(&bits, 0, try WindowLayout(&bits, sizes))
    if frame.mode == .extended { try readExtension(&bits, isIFrame, 1, frame) }
  }

  /// `channel_pair_element`.
  private func readStereo(
    _ bits: inout BitReader, _ isIFrame: Bool, _ frame: ElementFrame
  ) throws(AC4Error) {
    frame.mode = CodecMode(rawValue: try bits.read(2)) ?? .simple
    guard frame.mode == .simple || frame.mode == .extended else {
      throw .unsupported("advanced coupling (A-CPL)")
    }
    try readConfigurations(&bits, isIFrame, frame.mode)
    if frame.mode == .extended { frame.companding = try Companding(&bits, channels: 2) }
    try readPair(&bits)
    if frame.mode == .extended { try readExtension(&bits, isIFrame, 2, frame) }
  }

  /// The configurations of an I-frame; on other frames checks that the mode has one.
  private func readConfigurations(
    _ bits: inout BitReader, _ isIFrame: Bool, _ mode: CodecMode
  ) throws(AC4Error) {
    if isIFrame {
      next.mode = mode
      next.configuration = mode == .simple ? nil : try ASPXConfiguration(&bits)
    } else if mode != .simple, next.mode != mode {
      throw .needsIFrame("a new codec mode")
    }
  }

  /// `stereo_data`.
  private func readPair(_ bits: inout BitReader) throws(AC4Error) {
    isCombined = try bits.flag()
    if isCombined {
      let layout = try WindowLayout(&bits, sizes)
      try parameters[0].read(&bits, layout, books)
      try readTrack(&bits, 0, layout)
      try readTrack(&bits, 1, layout)
      return
    }
    try readFrontEnd(&bits)
    let left = try WindowLayout(&bits, sizes)
    try readFrontEnd(&bits)
    let right = try WindowLayout(&bits, sizes)
    try readTrack(&bits, 0, left)
    try readTrack(&bits, 1, right)
  }

  private func readFrontEnd(_ bits: inout BitReader) throws(AC4Error) {
    if try bits.flag() { throw .unsupported("speech spectral front end (SSF)") }
  }

  private func readTrack(
    _ bits: inout BitReader, _ index: Int, _ layout: WindowLayout
  ) throws(AC4Error) {
    try tracks[index].read(&bits, layout, books)
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
}
