// SPDX-License-Identifier: Apache-2.0

/// A presentation as `dac4` lists it (`ac4_presentation_v1_dsi`, TS 103 190-2, E.10).
package struct AC4PresentationDescription: Sendable, Equatable {
  /// `presentation_version`: 1 channels or objects, 2 immersive stereo.
  package var version = 1
  /// Its configuration and substream groups.
  package var content = AC4PresentationContent()
  /// `mdcompat`: the decoder level it needs.
  package var level = 0
  /// `presentation_id`, 0…31, if given.
  package var id: Int?
  /// How its frames relate to the stream's frame rate.
  package var frameRate = AC4FrameRateScale()
  /// `presentation_emdf_version` and `presentation_key_id`.
  package var emdf = AC4EMDFInfo(version: 0, key: 0, substream: nil)
  /// Its channels; `nil` for objects.
  package var channels: AC4PresentationChannels?
  /// The channels that a decoder of the core alone gets, if they differ.
  package var core: AC4PresentationCore?
  /// Devices that may play it, if stated.
  package var filter: AC4PresentationFilter?
  /// `b_pre_virtualized`: whether it is already rendered for headphones.
  package var isPreVirtualized = false
  /// Further EMDF containers.
  package var additionalEMDF: [AC4EMDFInfo] = []
  /// Bit rate of this presentation, if given.
  package var bitRate: AC4BitRate?
  /// Name and audience of an alternative presentation; `nil` when it is none.
  package var alternative: AC4AlternativePresentation?
  /// The flags at the end of the entry; `nil` when it ends before them.
  package var indicators: AC4PresentationIndicators?
  /// The whole entry when its version isn't 1 or 2; its other fields then mean nothing.
  package var opaque: [UInt8]?

  init() {}
}

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

/// The channels that a decoder gets which decodes only the core of a presentation
/// (`b_presentation_core_differs`, TS 103 190-2, E.10).
package struct AC4PresentationCore: Sendable, Equatable {
  /// `dsi_presentation_channel_mode_core`; `nil` when the core codes objects.
  package var channelMode: Int?

  init(_ bits: inout BitReader) throws(AC4Error) { channelMode = try bits.optional(2) }

  func write(to bits: inout BitWriter) { bits.write(optional: channelMode, 2) }
}

/// The devices that may play a presentation (`b_presentation_filter`, TS 103 190-2, E.10).
package struct AC4PresentationFilter: Sendable, Equatable {
  /// `b_enable_presentation`: whether it may be selected at all.
  package var isEnabled: Bool
  /// `filter_data`, whose meaning the standard leaves open.
  package var data: [UInt8] = []

  /// A filter without data.
  init(isEnabled: Bool) { self.isEnabled = isEnabled }

  init(_ bits: inout BitReader) throws(AC4Error) {
    isEnabled = try bits.flag()
    data = try bits.bytes(try bits.read(8))
  }

  func write(to bits: inout BitWriter) {
    bits.write(isEnabled)
    bits.write(data.count, 8)
    bits.write(data)
  }
}

/// The flags at the end of a presentation's entry in `dac4`, which players show. Old writers leave them out
/// (TS 103 190-2, E.10).
package struct AC4PresentationIndicators: Sendable, Equatable {
  /// `de_indicator`: whether dialogue can be enhanced.
  package var hasDialogueEnhancement: Bool
  /// `dolby_atmos_indicator`.
  package var isImmersive: Bool
  /// `extended_presentation_group_id`, if given.
  package var extendedID: Int?

  /// The flags of a presentation without an extended identifier.
  init(hasDialogueEnhancement: Bool, isImmersive: Bool) {
    self.hasDialogueEnhancement = hasDialogueEnhancement
    self.isImmersive = isImmersive
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    hasDialogueEnhancement = try bits.flag()
    isImmersive = try bits.flag()
    // Reserved.
    try bits.skip(4)
    if try bits.flag() { extendedID = try bits.read(9) }
  }

  func write(to bits: inout BitWriter) {
    bits.write(hasDialogueEnhancement)
    bits.write(isImmersive)
    bits.write(0, 4)
    bits.write(optional: extendedID, 9)
    bits.align()
  }
}

/// Name and audience of an alternative presentation (`alternative_info`, TS 103 190-2, E.12).
package struct AC4AlternativePresentation: Sendable, Equatable {
  /// `presentation_name`, in UTF-8.
  package var name: [UInt8]
  /// The devices that it is meant for.
  package var targets: [AC4AlternativeTarget] = []

  /// Reads the element, which is aligned to the bytes of the entry that began at bit `start`.
  init(_ bits: inout BitReader, entryStart start: Int) throws(AC4Error) {
    try bits.align(from: start)
    name = try bits.bytes(try bits.read(16))
    for _ in 0..<(try bits.read(5)) {
      let level = try bits.read(3)
      let category = try bits.read(8)
      targets.append(AC4AlternativeTarget(level: level, deviceCategory: category))
    }
  }

  func write(to bits: inout BitWriter) {
    bits.align()
    bits.write(name.count, 16)
    bits.write(name)
    bits.write(targets.count, 5)
    for target in targets {
      bits.write(target.level, 3)
      bits.write(target.deviceCategory, 8)
    }
  }
}

/// A kind of device that an alternative presentation is meant for (`alternative_info`,
/// TS 103 190-2, E.12).
package struct AC4AlternativeTarget: Sendable, Equatable {
  /// `target_md_compat`: the decoder level of the device.
  package var level: Int
  /// `target_device_category`, one bit per kind of device.
  package var deviceCategory: Int
}
