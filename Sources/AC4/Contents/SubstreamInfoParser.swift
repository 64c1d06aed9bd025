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
    facts.isJointlyCoded = try bits.flag()
    if facts.isJointlyCoded {
      try jointlyCoded(&facts)
    } else {
      try plainObjects(&facts)
    }
    substream.objects = facts
    try SubstreamInfoParser.rateAndBits(&bits, rate, &substream)
    try flagsAndIndex(&substream)
  }

  /// `b_audio_ndot` of each codec frame, and the index of the first substream.
  private mutating func flagsAndIndex(_ substream: inout AC4Substream) throws(AC4Error) {
    for _ in 0..<factor { substream.isIFrame.append(try bits.flag()) }
    if isPresent { substream.index = try bits.escaped(2, variable: 2) }
  }

  /// `ac4_substream_info_ajoc`.
  private mutating func jointlyCoded(_ facts: inout AC4ObjectFacts) throws(AC4Error) {
    facts.hasLFE = try bits.flag()
    facts.isStaticDownmix = try bits.flag()
    var ignored = AC4ObjectFacts()
    if facts.isStaticDownmix {
      facts.downmixSignals = 5
    } else {
      facts.downmixSignals = try bits.read(4) + 1
      try assignment(facts.downmixSignals, &ignored)
    }
    if try bits.flag() { try commonData() }
    facts.objects = try bits.read(4) + 1
    if facts.objects == 16 { facts.objects += try bits.variableBits(3) }
    try assignment(facts.objects, &facts)
  }

  /// `bed_dyn_obj_assignment` of `count` objects.
  private mutating func assignment(
    _ count: Int, _ facts: inout AC4ObjectFacts
  ) throws(AC4Error) {
    if try bits.flag() {
      facts.hasDynamicObjects = true
      return
    }
    if try bits.flag() {
      facts.isIntermediateFormat = true
      try bits.skip(3)
      return
    }
    facts.hasBed = true
    if try bits.flag() {
      try bits.skip(3)
    } else if try bits.flag() {
      // One flag for each speaker, or for each pair.
      try bits.skip(try bits.flag() ? 17 : 10)
    } else {
      let width = count > 1 ? Int.bitWidth - (count - 1).leadingZeroBitCount : 0
      let beds = count > 1 ? try bits.read(width) + 1 : 1
      facts.hasDynamicObjects = beds < count
      try bits.skip(4 * beds)
    }
  }

  /// `oamd_common_data`.
  private mutating func commonData() throws(AC4Error) {
    if try !bits.flag() { try bits.skip(5) }
    try bits.skip(1)
    guard try bits.flag() else { return }
    var count = try bits.read(1) + 1
    if count == 2 { count += try bits.variableBits(2) }
    try bits.skip(count * 8)
  }

  /// `ac4_substream_info_obj`.
  private mutating func plainObjects(_ facts: inout AC4ObjectFacts) throws(AC4Error) {
    let code = try bits.read(3)
    guard code <= 4 else { throw .damaged("object count \(code) is reserved") }
    facts.objects = code == 4 ? 5 : code
    facts.hasDynamicObjects = try bits.flag()
    if facts.hasDynamicObjects {
      facts.hasLFE = try bits.flag()
      return
    }
    facts.hasBed = try bits.flag()
    if facts.hasBed {
      guard try bits.flag() else { return }
      if try bits.flag() {
        try bits.skip(3)
      } else {
        try bits.skip(try bits.flag() ? 17 : 10)
      }
      return
    }
    facts.isIntermediateFormat = try bits.flag()
    if facts.isIntermediateFormat {
      if try bits.flag() { try bits.skip(3) }
    } else {
      try bits.skip(8 * (try bits.read(4)))
    }
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
