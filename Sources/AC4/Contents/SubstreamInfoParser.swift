/// Reads the table of contents' entry for one substream (TS 103 190-2, 6.2.1.8 to 6.2.1.14).
struct SubstreamInfoParser {
  /// The reader, behind what has been read.
  private(set) var bits: BitReader
  private let rate: AC4FrameRate
  private let factor: Int
  private let isPresent: Bool

  /// A parser that begins at the reader's position.
  /// - Parameters:
  ///   - factor: codec frames in a transport frame.
  ///   - isPresent: whether the frame carries the group's substreams.
  init(_ bits: BitReader, _ rate: AC4FrameRate, _ factor: Int, _ isPresent: Bool) {
    self.bits = bits
    self.rate = rate
    self.factor = factor
    self.isPresent = isPresent
  }

  /// `ac4_substream_info_chan`.
  mutating func channels(_ substream: inout AC4Substream) throws(AC4Error) {
    let mode = try SubstreamInfoParser.channelMode(&bits, longest: 9)
    substream.channelMode = mode
    if (11...14).contains(mode.rawValue) {
      substream.hasFourBack = try bits.flag()
      substream.hasCentre = try bits.flag()
      substream.topChannels = try bits.read(2)
    }
    try SubstreamInfoParser.rateAndBits(&bits, rate, &substream)
    if (7...10).contains(mode.rawValue) { substream.addsToSurrounds = try bits.flag() }
    try flagsAndIndex(&substream)
  }

  /// `ac4_substream_info_ajoc` or `ac4_substream_info_obj`, by their first flag.
  mutating func objects(_ substream: inout AC4Substream) throws(AC4Error) {
    var facts = AC4ObjectFacts()
    bits = try ObjectInfoParser.parse(bits, into: &facts)
    substream.objects = facts
    try SubstreamInfoParser.rateAndBits(&bits, rate, &substream)
    try flagsAndIndex(&substream)
  }

  /// `b_audio_ndot` of each codec frame, and the index of the first substream.
  private mutating func flagsAndIndex(_ substream: inout AC4Substream) throws(AC4Error) {
    for _ in 0..<factor { substream.isIFrame.append(try bits.flag()) }
    if isPresent { substream.index = try bits.escaped(2, variable: 2) }
  }

  /// The prefix code of the channel mode.
  /// - Parameter longest: length of the code for reserved modes: 7 in bitstream version 0, 9 later.
  static func channelMode(
    _ bits: inout BitReader, longest: Int
  ) throws(AC4Error) -> AC4ChannelMode {
    if try !bits.flag() { return .mono }
    if try !bits.flag() { return .stereo }
    let number: Int
    switch try bits.read(2) {
    case 0: number = 2
    case 1: number = 3
    case 2: number = 4
    default:
      let code = try bits.read(3)
      number = try code < 6 ? 5 + code : longModes(&bits, code, longest)
    }
    guard let mode = AC4ChannelMode(rawValue: number) else {
      throw .damaged("a reserved channel mode")
    }
    return mode
  }

  /// The code of a mode above 10, of which seven bits have been read; `code` is the last three, 6 or 7.
  private static func longModes(
    _ bits: inout BitReader, _ code: Int, _ longest: Int
  ) throws(AC4Error) -> Int {
    guard longest == 9 else { throw .damaged("a reserved channel mode") }
    if code == 6 { return try bits.read(1) + 11 }
    return try bits.read(2) + 13
  }

  /// `sf_multiplier` and `bitrate_indicator`, each behind a flag.
  static func rateAndBits(
    _ bits: inout BitReader, _ rate: AC4FrameRate, _ substream: inout AC4Substream
  ) throws(AC4Error) {
    if rate.is48kHz { substream.rateMultiplier = try bits.optional(1) }
    guard try bits.flag() else { return }
    // The code has three bits, or five if the third is 1.
    let code = try bits.read(3)
    substream.bitRateCode = code & 1 == 1 ? code << 2 | (try bits.read(2)) : code
  }
}
