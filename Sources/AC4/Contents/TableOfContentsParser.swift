// SPDX-License-Identifier: Apache-2.0

/// Reads `ac4_toc` (TS 103 190-1, 4.2.3.1; TS 103 190-2, 6.2.1.1).
struct TableOfContentsParser {
  /// The most presentations, groups and substreams of a frame. No stream has so many; the limit bounds the
  /// work that a damaged count can cause.
  private static let limit = 128
  /// The most groups of a presentation, and substreams of a group, for the same reason.
  private static let partLimit = 16

  private var bits: BitReader
  /// Codec frames in a transport frame.
  private var factor = 1
  /// Bits of the presentation being read that state its codec frames' rate; empty where none do.
  private var rateFields = 0..<0
  /// `b_hsf_ext` of the presentation being read.
  private var hasExtension = false

  /// A parser of the frame whose first bit `bits` reads next.
  init(_ bits: BitReader) { self.bits = bits }

  /// Reads the whole table into `toc`, whose memory is used again.
  ///
  /// When it throws, `toc` is incomplete.
  mutating func parse(into toc: inout AC4TableOfContents) throws(AC4Error) {
    var version = try bits.read(2)
    if version == 3 { version += try bits.variableBits(2) }
    guard version <= 2 else { throw .unsupported("bitstream version \(version)") }
    toc.bitstreamVersion = version
    toc.sequenceCounter = try bits.read(10)
    toc.waitFrames = nil
    if try bits.flag() {
      let frames = try bits.read(3)
      // `br_code`.
      if frames > 0 { try bits.skip(2) }
      toc.waitFrames = frames
    }
    let is48kHz = try bits.flag()
    toc.rateField = bits.position
    toc.rateFields.removeAll(keepingCapacity: true)
    toc.frameRate = try AC4FrameRate(index: try bits.read(4), is48kHz: is48kHz)
    toc.isIFrame = try bits.flag()
    toc.programID = nil
    let count = try presentationCount()
    let base = try payloadBase()
    if version <= 1 {
      var groups = 0
      toc.programUUID = nil
      for index in 0..<count { try plainPresentation(index, &groups, &toc) }
      toc.groups.removeLast(toc.groups.count - groups)
    } else {
      try programme(&toc)
      try groupedPresentations(count, &toc)
    }
    toc.presentations.removeLast(toc.presentations.count - count)
    toc.sizeField = bits.position
    try substreamTable(base, &toc)
  }

  /// `b_single_presentation` and the number of presentations.
  private mutating func presentationCount() throws(AC4Error) -> Int {
    if try bits.flag() { return 1 }
    guard try bits.flag() else { return 0 }
    let count = try bits.variableBits(2) + 2
    guard count <= TableOfContentsParser.limit else { throw .damaged("\(count) presentations") }
    return count
  }

  /// `payload_base`: bytes between the table of contents and the first substream.
  private mutating func payloadBase() throws(AC4Error) -> Int {
    guard try bits.flag() else { return 0 }
    let base = try bits.read(5) + 1
    return base == 32 ? base + (try bits.variableBits(3)) : base
  }

  /// `short_program_id` and `program_uuid`.
  private mutating func programme(_ toc: inout AC4TableOfContents) throws(AC4Error) {
    var uuid = toc.programUUID ?? []
    toc.programUUID = nil
    guard try bits.flag() else { return }
    toc.programID = try bits.read(16)
    guard try bits.flag() else { return }
    uuid.removeAll(keepingCapacity: true)
    for _ in 0..<16 { uuid.append(UInt8(truncatingIfNeeded: try bits.read(8))) }
    toc.programUUID = uuid
  }

  /// `substream_index_table`.
  private mutating func substreamTable(
    _ base: Int, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    toc.substreams.removeAll(keepingCapacity: true)
    var count = try bits.read(2)
    if count == 0 { count = try bits.variableBits(2) + 4 }
    guard count <= TableOfContentsParser.limit else { throw .damaged("\(count) substreams") }
    let hasSizes = count > 1 ? true : try bits.flag()
    if hasSizes {
      for _ in 0..<count {
        let isLong = try bits.flag()
        var size = try bits.read(10)
        if isLong { size += try bits.variableBits(2) << 10 }
        toc.substreams.append(0..<size)
      }
    }
    try bits.align(from: 0)
    toc.byteCount = bits.position / 8
    var start = toc.byteCount + base
    let end = bits.end / 8
    if !hasSizes { toc.substreams.append(0..<max(0, end - start)) }
    for index in toc.substreams.indices {
      let size = toc.substreams[index].count
      guard start <= end, size <= end - start else {
        throw .damaged("a substream beyond the end of the frame")
      }
      toc.substreams[index] = start..<start + size
      start += size
    }
  }

  // MARK: Presentations of bitstream versions 0 and 1

  /// `ac4_presentation_info`.
  private mutating func plainPresentation(
    _ index: Int, _ groups: inout Int, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    TableOfContentsParser.makeRoom(index, &toc.presentations)
    toc.presentations[index].clear()
    let isSingle = try bits.flag()
    let configuration = isSingle ? nil : try bits.escaped(3, variable: 2)
    toc.presentations[index].configuration = configuration
    // A unary code of which the standard uses 0 to 2.
    toc.presentations[index].version = try bits.unary(limit: 32)
    if configuration == 6 {
      toc.presentations[index].isEMDFOnly = true
      try additionalEMDF(&toc.presentations[index])
      return
    }
    toc.presentations[index].level = try bits.read(3)
    if try bits.flag() { toc.presentations[index].id = try bits.variableBits(2) }
    factor = try rateFactor(toc.frameRate.index)
    toc.presentations[index].frameRate.factor = factor
    toc.presentations[index].emdf = try emdfInfo()
    for number in 0..<(try plainSubstreamCount(configuration)) {
      toc.presentations[index].groups.append(groups)
      try plainSubstream(number == 0 && hasExtension, &groups, &toc)
    }
    toc.presentations[index].isPreVirtualized = try bits.flag()
    if try bits.flag() { try additionalEMDF(&toc.presentations[index]) }
  }

  /// Number of `ac4_substream_info` elements that follow.
  private mutating func plainSubstreamCount(_ configuration: Int?) throws(AC4Error) -> Int {
    hasExtension = false
    guard let configuration else { return 1 }
    hasExtension = try bits.flag()
    switch configuration {
    case 0...2: return 2
    case 3, 4: return 3
    case 5: return 1
    default:
      try skipConfigurationExtension()
      return 0
    }
  }

  /// `ac4_substream_info`, which becomes a group of one substream.
  private mutating func plainSubstream(
    _ hasExtension: Bool, _ groups: inout Int, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    TableOfContentsParser.makeRoom(groups, &toc.groups)
    toc.groups[groups].clear()
    TableOfContentsParser.makeRoom(0, &toc.groups[groups].substreams)
    toc.groups[groups].substreams.removeLast(toc.groups[groups].substreams.count - 1)
    toc.groups[groups].substreams[0].clear()
    try plainSubstream(&toc.groups[groups].substreams[0], toc.frameRate)
    if try bits.flag() { try contentType(&toc.groups[groups]) }
    try plainIndex(&toc.groups[groups].substreams[0])
    toc.groups[groups].hasHighSamplingFrequency = hasExtension
    if hasExtension { _ = try bits.escaped(2, variable: 2) }
    groups += 1
  }

  /// The fields of `ac4_substream_info` before its content type.
  private mutating func plainSubstream(
    _ substream: inout AC4Substream, _ rate: AC4FrameRate
  ) throws(AC4Error) {
    substream.syntaxVersion = 0
    substream.channelMode = try channelMode(longest: 7)
    try rateAndBits(rate, &substream)
    if let mode = substream.channelMode?.rawValue, (7...10).contains(mode) {
      substream.addsToSurrounds = try bits.flag()
    }
  }

  /// `b_iframe` of each codec frame, and the index of the first substream.
  private mutating func plainIndex(_ substream: inout AC4Substream) throws(AC4Error) {
    for _ in 0..<factor { substream.isIFrame.append(try bits.flag()) }
    substream.index = try bits.escaped(2, variable: 2)
  }

  // MARK: Presentations of bitstream version 2

  /// All presentations, then the groups that they refer to.
  private mutating func groupedPresentations(
    _ count: Int, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    // Groups don't say how many codec frames they have; the first presentation with audio does for all.
    var first: Int?
    var groupCount = 0
    for index in 0..<count {
      TableOfContentsParser.makeRoom(index, &toc.presentations)
      rateFields = 0..<0
      try groupedPresentation(&toc.presentations[index], toc.frameRate.index)
      if !rateFields.isEmpty { toc.rateFields.append(rateFields) }
      if !toc.presentations[index].isEMDFOnly {
        first = first ?? toc.presentations[index].frameRate.factor
      }
      for group in toc.presentations[index].groups { groupCount = max(groupCount, group + 1) }
    }
    factor = first ?? 1
    guard groupCount <= TableOfContentsParser.limit else {
      throw .damaged("\(groupCount) substream groups")
    }
    for index in 0..<groupCount {
      TableOfContentsParser.makeRoom(index, &toc.groups)
      try substreamGroup(&toc.groups[index], toc.frameRate)
    }
    toc.groups.removeLast(toc.groups.count - groupCount)
  }

  /// `ac4_presentation_v1_info`.
  private mutating func groupedPresentation(
    _ presentation: inout AC4Presentation, _ rateIndex: Int
  ) throws(AC4Error) {
    presentation.clear()
    let isSingle = try bits.flag()
    if !isSingle { presentation.configuration = try bits.escaped(3, variable: 2) }
    presentation.version = try bits.unary(limit: 32)
    if presentation.configuration == 6 {
      presentation.isEMDFOnly = true
      return try additionalEMDF(&presentation)
    }
    presentation.level = try bits.read(3)
    if try bits.flag() { presentation.id = try bits.variableBits(2) }
    let start = bits.position
    presentation.frameRate.factor = try rateFactor(rateIndex)
    presentation.frameRate.fraction = try rateFraction(rateIndex, presentation.frameRate.factor)
    rateFields = start..<bits.position
    presentation.emdf = try emdfInfo()
    if try bits.flag() { presentation.isEnabled = try bits.flag() }
    let groupCount = try groupCount(of: &presentation)
    guard groupCount <= TableOfContentsParser.partLimit else {
      throw .damaged("\(groupCount) groups in a presentation")
    }
    for _ in 0..<groupCount { presentation.groups.append(try bits.escaped(3, variable: 2)) }
    presentation.isPreVirtualized = try bits.flag()
    let hasMoreEMDF = try bits.flag()
    presentation.isAlternative = try bits.flag()
    presentation.isIndependent = try bits.flag()
    presentation.substream = try bits.escaped(2, variable: 2)
    if hasMoreEMDF { try additionalEMDF(&presentation) }
  }

  /// Number of groups that follow. The extension of a reserved configuration is skipped.
  private mutating func groupCount(
    of presentation: inout AC4Presentation
  ) throws(AC4Error) -> Int {
    guard let configuration = presentation.configuration else { return 1 }
    presentation.isMultiPID = try bits.flag()
    switch configuration {
    case 0, 1, 2: return 2
    case 3, 4: return 3
    case 5:
      let count = try bits.read(2) + 2
      return count == 5 ? count + (try bits.variableBits(2)) : count
    default:
      try skipConfigurationExtension()
      return 0
    }
  }

  /// `ac4_substream_group_info`.
  private mutating func substreamGroup(
    _ group: inout AC4SubstreamGroup, _ rate: AC4FrameRate
  ) throws(AC4Error) {
    group.clear()
    group.isPresent = try bits.flag()
    group.hasHighSamplingFrequency = try bits.flag()
    var count = 1
    if try !bits.flag() {
      count = try bits.read(2) + 2
      if count == 5 { count += try bits.variableBits(2) }
    }
    guard count <= TableOfContentsParser.partLimit else {
      throw .damaged("\(count) substreams in a group")
    }
    group.isChannelCoded = try bits.flag()
    if !group.isChannelCoded, try bits.flag() {
      // `oamd_substream_info`.
      group.metadataAreIndependent = try bits.flag()
      if group.isPresent { group.metadata = try bits.escaped(2, variable: 2) }
    }
    for index in 0..<count {
      TableOfContentsParser.makeRoom(index, &group.substreams)
      var parser = SubstreamInfoParser(bits, rate, factor, group.isPresent)
      group.substreams[index].clear()
      if group.isChannelCoded {
        try parser.channels(&group.substreams[index])
      } else {
        try parser.objects(&group.substreams[index])
      }
      bits = parser.bits
      if group.hasHighSamplingFrequency, group.isPresent {
        _ = try bits.escaped(2, variable: 2)
      }
    }
    group.substreams.removeLast(group.substreams.count - count)
    if try bits.flag() { try contentType(&group) }
  }

  /// Makes room for element `index`, which is at most the next one.
  private static func makeRoom<Element: TableEntry>(_ index: Int, _ list: inout [Element]) {
    if list.count <= index { list.append(Element()) }
  }

  // MARK: Elements of all versions

  private mutating func channelMode(longest: Int) throws(AC4Error) -> AC4ChannelMode {
    try SubstreamInfoParser.channelMode(&bits, longest: longest)
  }

  private mutating func rateAndBits(
    _ rate: AC4FrameRate, _ substream: inout AC4Substream
  ) throws(AC4Error) {
    try SubstreamInfoParser.rateAndBits(&bits, rate, &substream)
  }

  /// `content_type`.
  private mutating func contentType(_ group: inout AC4SubstreamGroup) throws(AC4Error) {
    group.content = try bits.read(3)
    guard try bits.flag() else { return }
    if try bits.flag() {
      // A tag that is spread over many frames, two characters in each, isn't put together.
      try bits.skip(17)
    } else {
      // Tags are short, and short strings need no memory of their own.
      var tag = ""
      for _ in 0..<(try bits.read(6)) {
        let byte = UInt8(truncatingIfNeeded: try bits.read(8))
        if (0x21...0x7E).contains(byte) { tag.unicodeScalars.append(Unicode.Scalar(byte)) }
      }
      group.language = tag
    }
  }

  /// `emdf_info`.
  private mutating func emdfInfo() throws(AC4Error) -> AC4EMDFInfo {
    let version = try bits.escaped(2, variable: 2)
    let key = try bits.escaped(3, variable: 3)
    let substream = try bits.flag() ? try bits.escaped(2, variable: 2) : nil
    let primary = TableOfContentsParser.protectionBits(try bits.read(2))
    let secondary = TableOfContentsParser.protectionBits(try bits.read(2))
    try bits.skip(primary + secondary)
    return AC4EMDFInfo(version: version, key: key, substream: substream)
  }

  /// Bits of a protection field with this `protection_length`: 0, 1, 4 or 16 bytes, which are skipped.
  private static func protectionBits(_ code: Int) -> Int {
    code == 0 ? 0 : code == 1 ? 8 : code == 2 ? 32 : 128
  }

  /// `n_add_emdf_substreams` and as many `emdf_info`.
  private mutating func additionalEMDF(
    _ presentation: inout AC4Presentation
  ) throws(AC4Error) {
    var count = try bits.read(2)
    if count == 0 { count = try bits.variableBits(2) + 4 }
    guard count <= TableOfContentsParser.limit else { throw .damaged("\(count) EMDF substreams") }
    for _ in 0..<count { presentation.additionalEMDF.append(try emdfInfo()) }
  }

  /// `presentation_config_ext_info`.
  private mutating func skipConfigurationExtension() throws(AC4Error) {
    var count = try bits.read(5)
    if try bits.flag() { count += try bits.variableBits(2) << 5 }
    try bits.skip(count * 8)
  }

  /// `frame_rate_multiply_info`.
  private mutating func rateFactor(_ index: Int) throws(AC4Error) -> Int {
    switch index {
    case 2, 3, 4:
      guard try bits.flag() else { return 1 }
      return try bits.flag() ? 4 : 2
    case 0, 1, 7, 8, 9: return try bits.flag() ? 2 : 1
    default: return 1
    }
  }

  /// `frame_rate_fractions_info`.
  private mutating func rateFraction(_ index: Int, _ factor: Int) throws(AC4Error) -> Int {
    switch index {
    case 5...9:
      guard factor == 1 else { return 1 }
      return try bits.flag() ? 2 : 1
    case 10...12:
      guard try bits.flag() else { return 1 }
      return try bits.flag() ? 4 : 2
    default: return 1
    }
  }
}
