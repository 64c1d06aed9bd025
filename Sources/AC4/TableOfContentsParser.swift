/// Reads `ac4_toc` (TS 103 190-1, 4.2.3.1; TS 103 190-2, 6.2.1.1).
struct TableOfContentsParser {
  /// More presentations or substreams than any stream has; bounds hostile counts.
  private static let limit = 512

  private var bits: BitReader
  private var factor = 1

  /// A parser whose reader stands at the frame's first bit.
  init(_ bits: BitReader) { self.bits = bits }

  /// The whole table.
  mutating func parse() throws(AC4Error) -> AC4TableOfContents {
    var version = try bits.read(2)
    if version == 3 { version += try bits.variableBits(2) }
    guard version <= 2 else { throw .unsupported("bitstream version \(version)") }
    let counter = try bits.read(10)
    var wait: Int?
    if try bits.flag() {
      let frames = try bits.read(3)
      if frames > 0 { try bits.skip(2) }
      wait = frames
    }
    let is48kHz = try bits.flag()
    let rate = try AC4FrameRate(index: try bits.read(4), is48kHz: is48kHz)
    var toc = AC4TableOfContents(frameRate: rate)
    toc.bitstreamVersion = version
    toc.sequenceCounter = counter
    toc.waitFrames = wait
    toc.isIFrame = try bits.flag()
    let count = try presentationCount()
    let base = try payloadBase()
    if version <= 1 {
      for _ in 0..<count { try plainPresentation(&toc) }
    } else {
      try programme(&toc)
      try groupedPresentations(count, &toc)
    }
    try substreamTable(base, &toc)
    return toc
  }

  private mutating func presentationCount() throws(AC4Error) -> Int {
    if try bits.flag() { return 1 }
    guard try bits.flag() else { return 0 }
    let count = try bits.variableBits(2) + 2
    guard count <= TableOfContentsParser.limit else { throw .damaged("\(count) presentations") }
    return count
  }

  private mutating func payloadBase() throws(AC4Error) -> Int {
    guard try bits.flag() else { return 0 }
    let base = try bits.read(5) + 1
    return base == 32 ? base + (try bits.variableBits(3)) : base
  }

  private mutating func programme(_ toc: inout AC4TableOfContents) throws(AC4Error) {
    guard try bits.flag() else { return }
    toc.programID = try bits.read(16)
    if try bits.flag() { toc.programUUID = try bits.bytes(16) }
  }

  /// `substream_index_table`.
  private mutating func substreamTable(
    _ base: Int, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    var count = try bits.read(2)
    if count == 0 { count = try bits.variableBits(2) + 4 }
    guard count <= TableOfContentsParser.limit else { throw .damaged("\(count) substreams") }
    var sizes: [Int] = []
    let hasSizes = count > 1 ? true : try bits.flag()
    if hasSizes {
      for _ in 0..<count {
        let more = try bits.flag()
        var size = try bits.read(10)
        if more { size += try bits.variableBits(2) << 10 }
        sizes.append(size)
      }
    }
    try bits.align(from: 0)
    toc.byteCount = bits.position / 8
    var start = toc.byteCount + base
    let end = bits.end / 8
    if sizes.isEmpty { sizes = [end - start] }
    for size in sizes {
      guard size >= 0, size <= end - start else {
        throw .damaged("a substream beyond the end of the frame")
      }
      toc.substreams.append(start..<start + size)
      start += size
    }
  }

  // MARK: Presentations of bitstream versions 0 and 1

  private mutating func plainPresentation(_ toc: inout AC4TableOfContents) throws(AC4Error) {
    var presentation = AC4Presentation()
    let isSingle = try bits.flag()
    if !isSingle { presentation.configuration = try bits.escaped(3, variable: 2) }
    presentation.version = try bits.unary(limit: 32)
    if presentation.configuration == 6 {
      presentation.isEMDFOnly = true
      presentation.additionalEMDF = try additionalEMDF()
    } else {
      presentation.level = try bits.read(3)
      if try bits.flag() { presentation.id = try bits.variableBits(2) }
      factor = try rateFactor(toc.frameRate.index)
      presentation.frameRateFactor = factor
      presentation.emdf = try emdfInfo()
      try plainSubstreams(presentation.configuration, &presentation, &toc)
      presentation.isPreVirtualized = try bits.flag()
      if try bits.flag() { presentation.additionalEMDF = try additionalEMDF() }
    }
    toc.presentations.append(presentation)
  }

  private mutating func plainSubstreams(
    _ configuration: Int?, _ presentation: inout AC4Presentation, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    guard let configuration else {
      try plainSubstream(false, &presentation, &toc)
      return
    }
    let hasExtension = try bits.flag()
    switch configuration {
    case 0...4:
      try plainSubstream(hasExtension, &presentation, &toc)
      try plainSubstream(false, &presentation, &toc)
      if configuration >= 3 { try plainSubstream(false, &presentation, &toc) }
    case 5: try plainSubstream(hasExtension, &presentation, &toc)
    default: try skipConfigurationExtension()
    }
  }

  /// `ac4_substream_info`, kept as a group of its own.
  private mutating func plainSubstream(
    _ hasExtension: Bool, _ presentation: inout AC4Presentation, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    var substream = AC4Substream()
    substream.syntaxVersion = 0
    substream.channelMode = try channelMode(longest: 7)
    try rateAndBits(toc.frameRate, &substream)
    if let mode = substream.channelMode?.rawValue, (7...10).contains(mode) {
      substream.addsToSurrounds = try bits.flag()
    }
    var group = AC4SubstreamGroup()
    if try bits.flag() { try contentType(&group) }
    for _ in 0..<factor { substream.isIFrame.append(try bits.flag()) }
    substream.index = try bits.escaped(2, variable: 2)
    group.hasHighSamplingFrequency = hasExtension
    if hasExtension { _ = try bits.escaped(2, variable: 2) }
    group.substreams = [substream]
    presentation.groups.append(toc.groups.count)
    toc.groups.append(group)
  }

  // MARK: Presentations of bitstream version 2

  private mutating func groupedPresentations(
    _ count: Int, _ toc: inout AC4TableOfContents
  ) throws(AC4Error) {
    var largest = 1
    for _ in 0..<count {
      let presentation = try groupedPresentation(toc.frameRate.index)
      largest = max(largest, presentation.frameRateFactor)
      toc.presentations.append(presentation)
    }
    factor = largest
    let groupCount = (toc.presentations.flatMap(\.groups).max() ?? -1) + 1
    guard groupCount <= TableOfContentsParser.limit else {
      throw .damaged("\(groupCount) substream groups")
    }
    for _ in 0..<groupCount { toc.groups.append(try substreamGroup(toc.frameRate)) }
  }

  /// `ac4_presentation_v1_info`.
  private mutating func groupedPresentation(_ rateIndex: Int) throws(AC4Error) -> AC4Presentation {
    var presentation = AC4Presentation()
    let isSingle = try bits.flag()
    if !isSingle { presentation.configuration = try bits.escaped(3, variable: 2) }
    presentation.version = try bits.unary(limit: 32)
    if presentation.configuration == 6 {
      presentation.isEMDFOnly = true
      presentation.additionalEMDF = try additionalEMDF()
      return presentation
    }
    presentation.level = try bits.read(3)
    if try bits.flag() { presentation.id = try bits.variableBits(2) }
    presentation.frameRateFactor = try rateFactor(rateIndex)
    presentation.frameRateFraction = try rateFraction(rateIndex, presentation.frameRateFactor)
    presentation.emdf = try emdfInfo()
    if try bits.flag() { presentation.isEnabled = try bits.flag() }
    let groupCount = try groupCount(of: &presentation)
    for _ in 0..<groupCount { presentation.groups.append(try bits.escaped(3, variable: 2)) }
    presentation.isPreVirtualized = try bits.flag()
    let hasMoreEMDF = try bits.flag()
    presentation.isAlternative = try bits.flag()
    presentation.isIndependent = try bits.flag()
    presentation.substream = try bits.escaped(2, variable: 2)
    if hasMoreEMDF { presentation.additionalEMDF = try additionalEMDF() }
    return presentation
  }

  /// How many groups follow; the extension of an unknown configuration is skipped here.
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
  private mutating func substreamGroup(_ rate: AC4FrameRate) throws(AC4Error) -> AC4SubstreamGroup {
    var group = AC4SubstreamGroup()
    group.isPresent = try bits.flag()
    group.hasHighSamplingFrequency = try bits.flag()
    var count = 1
    if try !bits.flag() {
      count = try bits.read(2) + 2
      if count == 5 { count += try bits.variableBits(2) }
    }
    group.isChannelCoded = try bits.flag()
    if !group.isChannelCoded, try bits.flag() {
      try bits.skip(1)
      if group.isPresent { _ = try bits.escaped(2, variable: 2) }
    }
    for _ in 0..<count {
      var parser = SubstreamInfoParser(bits, rate, factor, group.isPresent)
      let substream = try group.isChannelCoded ? parser.channels() : parser.objects()
      bits = parser.bits
      group.substreams.append(substream)
      if group.hasHighSamplingFrequency, group.isPresent {
        _ = try bits.escaped(2, variable: 2)
      }
    }
    if try bits.flag() { try contentType(&group) }
    return group
  }

  // MARK: Shared elements

  private mutating func channelMode(longest: Int) throws(AC4Error) -> AC4ChannelMode {
    try SubstreamInfoParser.channelMode(&bits, longest: longest)
  }

  private mutating func rateAndBits(
    _ rate: AC4FrameRate, _ substream: inout AC4Substream
  ) throws(AC4Error) {
    try SubstreamInfoParser.rateAndBits(&bits, rate, &substream)
  }

  private mutating func contentType(_ group: inout AC4SubstreamGroup) throws(AC4Error) {
    group.content = try bits.read(3)
    guard try bits.flag() else { return }
    if try bits.flag() {
      try bits.skip(17)
    } else {
      let tag = try bits.bytes(try bits.read(6))
      group.language = String(decoding: tag.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
    }
  }

  private mutating func emdfInfo() throws(AC4Error) -> AC4EMDFInfo {
    let version = try bits.escaped(2, variable: 2)
    let key = try bits.escaped(3, variable: 3)
    let substream = try bits.flag() ? try bits.escaped(2, variable: 2) : nil
    let lengths = [0, 8, 32, 128]
    let primary = lengths[try bits.read(2)]
    let secondary = lengths[try bits.read(2)]
    try bits.skip(primary + secondary)
    return AC4EMDFInfo(version: version, key: key, substream: substream)
  }

  private mutating func additionalEMDF() throws(AC4Error) -> [AC4EMDFInfo] {
    var count = try bits.read(2)
    if count == 0 { count = try bits.variableBits(2) + 4 }
    guard count <= TableOfContentsParser.limit else { throw .damaged("\(count) EMDF substreams") }
    var list: [AC4EMDFInfo] = []
    for _ in 0..<count { list.append(try emdfInfo()) }
    return list
  }

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
