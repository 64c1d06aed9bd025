/// Reads and writes `ac4_presentation_v1_dsi` (TS 103 190-2, E.10).
enum PresentationDescriptionCoding {
  private static let emdfOnly = 0x06
  private static let singleGroup = 0x1F

  /// The entry that begins at the reader's position.
  static func read(
    version: Int, _ bits: inout BitReader
  ) throws(AC4Error) -> AC4PresentationDescription {
    let start = bits.position
    var entry = AC4PresentationDescription()
    entry.version = version
    entry.configuration = try bits.read(5)
    var hasMoreEMDF = true
    if entry.configuration != emdfOnly {
      try readHead(&entry, &bits)
      try readGroups(&entry, &bits)
      entry.isPreVirtualized = try bits.flag()
      hasMoreEMDF = try bits.flag()
    }
    if hasMoreEMDF {
      for _ in 0..<(try bits.read(7)) {
        let version = try bits.read(5)
        let key = try bits.read(10)
        entry.additionalEMDF.append(AC4EMDFInfo(version: version, key: key, substream: nil))
      }
    }
    if try bits.flag() { entry.bitRate = try AC4BitRate(&bits) }
    if try bits.flag() { try readAlternative(&entry, &bits, start) }
    try bits.align(from: start)
    if bits.remaining >= 8 {
      entry.hasDialogueEnhancement = try bits.flag()
      entry.isImmersive = try bits.flag()
      try bits.skip(4)
      if try bits.flag() { entry.extendedID = try bits.read(9) }
    }
    return entry
  }

  private static func readHead(
    _ entry: inout AC4PresentationDescription, _ bits: inout BitReader
  ) throws(AC4Error) {
    entry.level = try bits.read(3)
    entry.id = try bits.optional(5)
    entry.frameRateMultiply = try bits.read(2)
    entry.frameRateFraction = try bits.read(2)
    entry.emdfVersion = try bits.read(5)
    entry.key = try bits.read(10)
    if try bits.flag() {
      let mode = try bits.read(5)
      entry.channelMode = mode
      if (11...14).contains(mode) {
        entry.hasFourBack = try bits.flag()
        entry.topPairs = try bits.read(2)
      }
      entry.speakerGroups = try bits.read(24)
    }
    entry.coreDiffers = try bits.flag()
    if entry.coreDiffers { entry.coreChannelMode = try bits.optional(2) }
    if try bits.flag() {
      entry.isEnabled = try bits.flag()
      entry.filter = try bits.bytes(try bits.read(8))
    }
  }

  private static func readGroups(
    _ entry: inout AC4PresentationDescription, _ bits: inout BitReader
  ) throws(AC4Error) {
    var count = 1
    if entry.configuration != singleGroup {
      entry.isMultiPID = try bits.flag()
      switch entry.configuration {
      case 0, 1, 2: count = 2
      case 3, 4: count = 3
      case 5: count = try bits.read(3) + 2
      default:
        entry.extensionData = try bits.bytes(try bits.read(7))
        count = 0
      }
    }
    for _ in 0..<count { entry.groups.append(try AC4GroupDescription(&bits)) }
  }

  private static func readAlternative(
    _ entry: inout AC4PresentationDescription, _ bits: inout BitReader, _ start: Int
  ) throws(AC4Error) {
    try bits.align(from: start)
    entry.alternativeName = try bits.bytes(try bits.read(16))
    for _ in 0..<(try bits.read(5)) {
      let level = try bits.read(3)
      let category = try bits.read(8)
      entry.alternativeTargets.append(
        AC4AlternativeTarget(level: level, deviceCategory: category))
    }
  }

  /// The bytes of `entry`, without version and length.
  static func bytes(of entry: AC4PresentationDescription) -> [UInt8] {
    if let opaque = entry.opaque { return opaque }
    var bits = BitWriter()
    bits.write(entry.configuration, 5)
    let isEMDFOnly = entry.configuration == emdfOnly
    if !isEMDFOnly {
      writeHead(entry, &bits)
      writeGroups(entry, &bits)
      bits.write(entry.isPreVirtualized)
      bits.write(!entry.additionalEMDF.isEmpty)
    }
    if isEMDFOnly || !entry.additionalEMDF.isEmpty {
      bits.write(entry.additionalEMDF.count, 7)
      for container in entry.additionalEMDF {
        bits.write(container.version, 5)
        bits.write(container.key, 10)
      }
    }
    bits.write(entry.bitRate != nil)
    entry.bitRate?.write(to: &bits)
    bits.write(entry.alternativeName != nil)
    if let name = entry.alternativeName {
      bits.align()
      bits.write(name.count, 16)
      bits.write(name)
      bits.write(entry.alternativeTargets.count, 5)
      for target in entry.alternativeTargets {
        bits.write(target.level, 3)
        bits.write(target.deviceCategory, 8)
      }
    }
    bits.align()
    if let enhancement = entry.hasDialogueEnhancement {
      bits.write(enhancement)
      bits.write(entry.isImmersive)
      bits.write(0, 4)
      bits.write(optional: entry.extendedID, 9)
      bits.align()
    }
    return bits.bytes
  }

  private static func writeHead(_ entry: AC4PresentationDescription, _ bits: inout BitWriter) {
    bits.write(entry.level, 3)
    bits.write(optional: entry.id, 5)
    bits.write(entry.frameRateMultiply, 2)
    bits.write(entry.frameRateFraction, 2)
    bits.write(entry.emdfVersion, 5)
    bits.write(entry.key, 10)
    bits.write(entry.channelMode != nil)
    if let mode = entry.channelMode {
      bits.write(mode, 5)
      if (11...14).contains(mode) {
        bits.write(entry.hasFourBack)
        bits.write(entry.topPairs, 2)
      }
      bits.write(entry.speakerGroups, 24)
    }
    bits.write(entry.coreDiffers)
    if entry.coreDiffers { bits.write(optional: entry.coreChannelMode, 2) }
    bits.write(entry.isEnabled != nil)
    if let isEnabled = entry.isEnabled {
      bits.write(isEnabled)
      bits.write(entry.filter.count, 8)
      bits.write(entry.filter)
    }
  }

  private static func writeGroups(_ entry: AC4PresentationDescription, _ bits: inout BitWriter) {
    if entry.configuration != singleGroup {
      bits.write(entry.isMultiPID)
      if entry.configuration == 5 {
        bits.write(entry.groups.count - 2, 3)
      } else if entry.configuration > 5 {
        bits.write(entry.extensionData.count, 7)
        bits.write(entry.extensionData)
      }
    }
    for group in entry.groups { group.write(to: &bits) }
  }
}
