// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata

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

/// Reads what the table of contents says of a substream of objects (TS 103 190-2, 6.2.1.9 to 6.2.1.12).
struct ObjectInfoParser {
  /// Channels of `bed_chan_assign_code`, without low frequencies.
  private static let codedBeds: [[BedChannel]] = {
    let front: [BedChannel] = [.left, .right, .center]
    let flat = front + [.leftSurround, .rightSurround]
    let back = flat + [.leftBack, .rightBack]
    let tops: [BedChannel] = [.topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight]
    let sides: [BedChannel] = [.topSideLeft, .topSideRight]
    return [
      [.left, .right], front, flat, flat + sides, flat + tops, back, back + sides, back + tops,
    ]
  }()

  private var bits: BitReader

  /// Reads the fields from `b_ajoc` up to those that all substreams have; answers the reader behind them.
  static func parse(
    _ bits: BitReader, into facts: inout AC4ObjectFacts
  ) throws(AC4Error) -> BitReader {
    var parser = ObjectInfoParser(bits: bits)
    facts.isJointlyCoded = try parser.bits.flag()
    if facts.isJointlyCoded {
      try parser.jointlyCoded(&facts)
    } else {
      try parser.directlyCoded(&facts)
    }
    return parser.bits
  }

  /// `ac4_substream_info_ajoc`.
  private mutating func jointlyCoded(_ facts: inout AC4ObjectFacts) throws(AC4Error) {
    facts.hasLFE = try bits.flag()
    facts.isStaticDownmix = try bits.flag()
    if facts.isStaticDownmix {
      facts.downmixSignals = 5
    } else {
      facts.downmixSignals = try bits.read(4) + 1
      try assignment(facts.downmixSignals, &facts)
      // Only the kinds of the decoded objects count.
      swap(&facts.bed, &facts.downmixBed)
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
    (facts.hasBed, facts.isIntermediateFormat) = (false, false)
    // `b_dyn_objects_only`.
    facts.hasDynamicObjects = try bits.flag()
    if facts.hasDynamicObjects { return }
    facts.isIntermediateFormat = try bits.flag()
    if facts.isIntermediateFormat { return try bits.skip(3) }
    facts.hasBed = true
    if try bits.flag() {
      for channel in ObjectInfoParser.codedBeds[try bits.read(3)] { facts.bed.append(channel) }
    } else if try bits.flag() {
      // Low frequencies are no object here: `b_lfe` stands for them.
      try flaggedBed(&facts.bed, withLowFrequencies: false)
    } else {
      try listedBed(count, &facts.bed)
    }
    guard facts.bed.count <= count else {
      throw .damaged("\(facts.bed.count) bed channels in \(count) objects")
    }
    facts.hasDynamicObjects = facts.bed.count < count
  }

  /// `nonstd_bed_channel_assignment` of one or more objects.
  private mutating func listedBed(
    _ count: Int, _ bed: inout BedList
  ) throws(AC4Error) {
    // As many bits as `count` − 1 has.
    let width = Int.bitWidth - (count - 1).leadingZeroBitCount
    let listed = count > 1 ? try bits.read(width) + 1 : 1
    guard listed <= min(count, BedList.capacity) else { throw .damaged("\(listed) bed channels") }
    for _ in 0..<listed {
      let code = try bits.read(4)
      guard let channel = BedChannel(rawValue: code), !channel.isLFE else {
        throw .damaged("bed channel \(code) is reserved")
      }
      bed.append(channel)
    }
  }

  /// The channels by one flag for each, or for each pair; the flag that is sent last is the first channel's.
  private mutating func flaggedBed(
    _ bed: inout BedList, withLowFrequencies: Bool
  ) throws(AC4Error) {
    var set = UInt32(0)
    if try bits.flag() {
      set = UInt32(try bits.read(17))
    } else {
      let groups = try bits.read(10)
      for (bit, channels) in BedChannel.standardGroups.enumerated() where groups >> bit & 1 == 1 {
        set |= channels
      }
    }
    for channel in BedChannel.allCases
    where set >> UInt32(channel.rawValue) & 1 == 1 && (withLowFrequencies || !channel.isLFE) {
      bed.append(channel)
    }
  }

  /// `oamd_common_data`, which is for loudspeaker layouts and for downmixes of beds: its size is stated, and it is skipped.
  private mutating func commonData() throws(AC4Error) {
    try ObjectSubstreamReader.skipCommonData(&bits)
  }

  /// `ac4_substream_info_obj`.
  private mutating func directlyCoded(_ facts: inout AC4ObjectFacts) throws(AC4Error) {
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
      // `b_bed_start`: a bed that an earlier substream began goes on without a list.
      if try bits.flag() { try directBed(&facts.bed) }
      return
    }
    facts.isIntermediateFormat = try bits.flag()
    if facts.isIntermediateFormat {
      if try bits.flag() { try bits.skip(3) }
    } else {
      try bits.skip(8 * (try bits.read(4)))
    }
  }

  /// The channels of a bed of directly coded objects, low frequencies among them.
  private mutating func directBed(_ bed: inout BedList) throws(AC4Error) {
    guard try bits.flag() else { return try flaggedBed(&bed, withLowFrequencies: true) }
    let code = try bits.read(3)
    for (place, channel) in ObjectInfoParser.codedBeds[code].enumerated() {
      // Low frequencies stand behind the centre.
      if code >= 2, place == 3 { bed.append(.lowFrequency) }
      bed.append(channel)
    }
  }
}
