/// Reads and writes `ac4_presentation_v1_dsi` (TS 103 190-2, E.10).
enum PresentationDescriptionCoding {
  /// The entry that begins at the reader's position.
  static func read(
    version: Int, _ bits: inout BitReader
  ) throws(AC4Error) -> AC4PresentationDescription {
    let start = bits.position
    var entry = AC4PresentationDescription()
    entry.version = version
    entry.content.configuration = try bits.read(5)
    var hasMoreEMDF = true
    if entry.content.configuration != AC4PresentationContent.emdfOnly {
      try readHead(&entry, &bits)
      entry.content = try AC4PresentationContent(
        configuration: entry.content.configuration, &bits)
      entry.isPreVirtualized = try bits.flag()
      hasMoreEMDF = try bits.flag()
    }
    if hasMoreEMDF {
      for _ in 0..<(try bits.read(7)) { entry.additionalEMDF.append(try readEMDF(&bits)) }
    }
    if try bits.flag() { entry.bitRate = try AC4BitRate(&bits) }
    if try bits.flag() {
      entry.alternative = try AC4AlternativePresentation(&bits, entryStart: start)
    }
    try bits.align(from: start)
    if bits.remaining >= 8 { entry.indicators = try AC4PresentationIndicators(&bits) }
    return entry
  }

  /// The fields from `mdcompat` to the presentation filter.
  private static func readHead(
    _ entry: inout AC4PresentationDescription, _ bits: inout BitReader
  ) throws(AC4Error) {
    entry.level = try bits.read(3)
    entry.id = try bits.optional(5)
    entry.frameRate = try AC4FrameRateScale(&bits)
    entry.emdf = try readEMDF(&bits)
    if try bits.flag() { entry.channels = try AC4PresentationChannels(&bits) }
    if try bits.flag() { entry.core = try AC4PresentationCore(&bits) }
    if try bits.flag() { entry.filter = try AC4PresentationFilter(&bits) }
  }

  private static func readEMDF(_ bits: inout BitReader) throws(AC4Error) -> AC4EMDFInfo {
    let version = try bits.read(5)
    let key = try bits.read(10)
    return AC4EMDFInfo(version: version, key: key, substream: nil)
  }

  /// The bytes of `entry`, without version and length.
  static func bytes(of entry: AC4PresentationDescription) -> [UInt8] {
    if let opaque = entry.opaque { return opaque }
    var bits = BitWriter()
    bits.write(entry.content.configuration, 5)
    let isEMDFOnly = entry.content.configuration == AC4PresentationContent.emdfOnly
    if !isEMDFOnly {
      writeHead(entry, &bits)
      entry.content.write(to: &bits)
      bits.write(entry.isPreVirtualized)
      bits.write(!entry.additionalEMDF.isEmpty)
    }
    if isEMDFOnly || !entry.additionalEMDF.isEmpty {
      bits.write(entry.additionalEMDF.count, 7)
      for container in entry.additionalEMDF { write(container, &bits) }
    }
    bits.write(entry.bitRate != nil)
    entry.bitRate?.write(to: &bits)
    bits.write(entry.alternative != nil)
    entry.alternative?.write(to: &bits)
    bits.align()
    entry.indicators?.write(to: &bits)
    return bits.bytes
  }

  private static func writeHead(_ entry: AC4PresentationDescription, _ bits: inout BitWriter) {
    bits.write(entry.level, 3)
    bits.write(optional: entry.id, 5)
    entry.frameRate.write(to: &bits)
    write(entry.emdf, &bits)
    bits.write(entry.channels != nil)
    entry.channels?.write(to: &bits)
    bits.write(entry.core != nil)
    entry.core?.write(to: &bits)
    bits.write(entry.filter != nil)
    entry.filter?.write(to: &bits)
  }

  private static func write(_ container: AC4EMDFInfo, _ bits: inout BitWriter) {
    bits.write(container.version, 5)
    bits.write(container.key, 10)
  }
}
