// SPDX-License-Identifier: Apache-2.0

/// The substream groups that a presentation of `dac4` plays together
/// (`ac4_presentation_v1_dsi`, TS 103 190-2, E.10).
package struct AC4PresentationContent: Sendable, Equatable {
  /// `presentation_config_v1` of a presentation that has EMDF containers alone.
  static let emdfOnly = 0x06
  /// `presentation_config_v1` of a presentation of one substream group.
  static let singleGroup = 0x1F

  /// `presentation_config_v1`.
  package var configuration = singleGroup
  /// `b_multi_pid`.
  package var isMultiPID = false
  /// The groups in the order of the configuration.
  package var groups: [AC4GroupDescription] = []
  /// The bytes of a configuration that the standard reserves; there are no groups then.
  package var extensionData: [UInt8] = []

  init() {}

  /// Reads `b_multi_pid` and the groups; the caller has read the configuration before them.
  init(configuration: Int, _ bits: inout BitReader) throws(AC4Error) {
    self.configuration = configuration
    var count = 1
    if configuration != AC4PresentationContent.singleGroup {
      isMultiPID = try bits.flag()
      switch configuration {
      case 0, 1, 2: count = 2
      case 3, 4: count = 3
      case 5: count = try bits.read(3) + 2
      default:
        extensionData = try bits.bytes(try bits.read(7))
        count = 0
      }
    }
    for _ in 0..<count { groups.append(try AC4GroupDescription(&bits)) }
  }

  /// Writes `b_multi_pid` and the groups.
  func write(to bits: inout BitWriter) {
    if configuration != AC4PresentationContent.singleGroup {
      bits.write(isMultiPID)
      if configuration == 5 {
        bits.write(groups.count - 2, 3)
      } else if configuration > 5 {
        bits.write(extensionData.count, 7)
        bits.write(extensionData)
      }
    }
    for group in groups { group.write(to: &bits) }
  }
}

/// The channels of a presentation as `dac4` states them (`b_presentation_channel_coded`,
/// TS 103 190-2, E.10).
package struct AC4PresentationChannels: Sendable, Equatable {
  /// `dsi_presentation_ch_mode`.
  package var mode: Int
  /// `pres_b_4_back_channels_present`; only stated for modes 11…14.
  package var hasFourBack = false
  /// `pres_top_channel_pairs`; only stated for modes 11…14.
  package var topPairs = 0
  /// `presentation_channel_mask`: speaker groups, one bit each.
  package var speakerGroups: Int

  /// The channels of a mode that has no variants.
  init(mode: Int, speakerGroups: Int) {
    self.mode = mode
    self.speakerGroups = speakerGroups
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    mode = try bits.read(5)
    if AC4PresentationChannels.hasVariants(mode) {
      hasFourBack = try bits.flag()
      topPairs = try bits.read(2)
    }
    speakerGroups = try bits.read(24)
  }

  func write(to bits: inout BitWriter) {
    bits.write(mode, 5)
    if AC4PresentationChannels.hasVariants(mode) {
      bits.write(hasFourBack)
      bits.write(topPairs, 2)
    }
    bits.write(speakerGroups, 24)
  }

  /// Whether the mode is one of 7.0.4 to 9.1.4, whose back and top channels may be absent.
  private static func hasVariants(_ mode: Int) -> Bool { (11...14).contains(mode) }
}

/// A substream group as `dac4` lists it (`ac4_substream_group_dsi`, TS 103 190-2, E.11).
package struct AC4GroupDescription: Sendable, Equatable {
  /// `b_substreams_present`: whether the stream carries the group's substreams.
  package var isPresent = true
  /// `b_hsf_ext`: whether extensions for high sampling frequencies come with them.
  package var hasHighSamplingFrequency = false
  /// `b_channel_coded`: whether they code channels; objects otherwise.
  package var isChannelCoded = true
  /// Its substreams, at most 255.
  package var substreams: [AC4SubstreamDescription] = []
  /// `content_classifier`, if given.
  package var content: Int?
  /// Language tag, if given; needs a content classifier.
  package var language: [UInt8]?

  init() {}

  init(_ bits: inout BitReader) throws(AC4Error) {
    isPresent = try bits.flag()
    hasHighSamplingFrequency = try bits.flag()
    isChannelCoded = try bits.flag()
    for _ in 0..<(try bits.read(8)) {
      substreams.append(try AC4SubstreamDescription(&bits, channels: isChannelCoded))
    }
    guard try bits.flag() else { return }
    content = try bits.read(3)
    if try bits.flag() { language = try bits.bytes(try bits.read(6)) }
  }

  func write(to bits: inout BitWriter) {
    bits.write(isPresent)
    bits.write(hasHighSamplingFrequency)
    bits.write(isChannelCoded)
    bits.write(substreams.count, 8)
    for substream in substreams { substream.write(to: &bits) }
    bits.write(content != nil)
    guard let content else { return }
    bits.write(content, 3)
    bits.write(language != nil)
    guard let language else { return }
    bits.write(language.count, 6)
    bits.write(language)
  }
}

/// A substream as `dac4` lists it (`ac4_substream_group_dsi`, TS 103 190-2, E.11).
package struct AC4SubstreamDescription: Sendable, Equatable {
  /// `dsi_sf_multiplier`: 0 base rate, 1 for 96 kHz, 2 for 192 kHz.
  package var rateMultiplier = 0
  /// `substream_bitrate_indicator`, if given.
  package var bitRateCode: Int?
  /// `dsi_substream_channel_mask`: speaker groups, one bit each; `nil` for objects.
  package var speakerGroups: Int?
  /// `b_ajoc`: whether objects are decoded from a downmix.
  package var isJointlyCoded = false
  /// Signals of that downmix; `nil` for a 5.X bed (`b_static_dmx`).
  package var downmixObjects: Int?
  /// Objects decoded from it.
  package var upmixObjects = 1
  /// Whether there are a bed, dynamic objects and objects of the intermediate spatial format: bits 3 to 1;
  /// bit 0 is reserved.
  package var objectKinds = 0

  init() {}

  init(_ bits: inout BitReader, channels: Bool) throws(AC4Error) {
    rateMultiplier = try bits.read(2)
    bitRateCode = try bits.optional(5)
    if channels {
      speakerGroups = try bits.read(24)
      return
    }
    isJointlyCoded = try bits.flag()
    if isJointlyCoded {
      if try !bits.flag() { downmixObjects = try bits.read(4) + 1 }
      upmixObjects = try bits.read(6) + 1
    }
    objectKinds = try bits.read(4)
  }

  func write(to bits: inout BitWriter) {
    bits.write(rateMultiplier, 2)
    bits.write(optional: bitRateCode, 5)
    if let speakerGroups {
      bits.write(speakerGroups, 24)
      return
    }
    bits.write(isJointlyCoded)
    if isJointlyCoded {
      bits.write(downmixObjects == nil)
      if let downmixObjects { bits.write(downmixObjects - 1, 4) }
      bits.write(upmixObjects - 1, 6)
    }
    bits.write(objectKinds, 4)
  }
}

extension AC4PresentationDescription {
  /// The entry of `dac4` for a presentation of this table of contents.
  /// - Throws: ``AC4Error/unsupported(_:)`` for configurations and channels that the entry can't state.
  init(_ presentation: AC4Presentation, in toc: AC4TableOfContents) throws(AC4Error) {
    self.init()
    version = presentation.version
    additionalEMDF = presentation.additionalEMDF
    if presentation.isEMDFOnly {
      content.configuration = AC4PresentationContent.emdfOnly
      return
    }
    if let given = presentation.configuration {
      guard given <= 5 else { throw .unsupported("dac4 for presentation configuration \(given)") }
      content.configuration = given
    }
    level = presentation.level
    // The field has five bits; the table of contents has no limit.
    id = presentation.id.map { $0 & 31 }
    frameRate = presentation.frameRate
    emdf = AC4EMDFInfo(
      version: presentation.emdf?.version ?? 0, key: presentation.emdf?.key ?? 0, substream: nil)
    filter = presentation.isEnabled.map(AC4PresentationFilter.init(isEnabled:))
    content.isMultiPID = presentation.isMultiPID ?? false
    isPreVirtualized = presentation.isPreVirtualized
    if presentation.isAlternative { throw .unsupported("dac4 for alternative presentations") }
    var speakerGroups = 0
    for index in presentation.groups where toc.groups.indices.contains(index) {
      let group = toc.groups[index]
      content.groups.append(
        try AC4GroupDescription(group, isStereo: presentation.isImmersiveStereo))
      for substream in group.substreams {
        let mode = presentation.isImmersiveStereo ? .stereo : substream.channelMode
        speakerGroups |= mode?.speakerGroups ?? 0
      }
    }
    channels = toc.channelMode(of: presentation).map {
      AC4PresentationChannels(mode: $0.rawValue, speakerGroups: speakerGroups)
    }
  }
}

extension AC4GroupDescription {
  /// The entry of `dac4` for `group`; immersive stereo is listed as stereo, whatever it was made from.
  fileprivate init(_ group: AC4SubstreamGroup, isStereo: Bool) throws(AC4Error) {
    self.init()
    isPresent = group.isPresent
    hasHighSamplingFrequency = group.hasHighSamplingFrequency
    isChannelCoded = group.isChannelCoded
    content = group.content
    language = group.language.map { Array($0.utf8) }
    for substream in group.substreams {
      substreams.append(try AC4SubstreamDescription(substream, isStereo: isStereo))
    }
  }
}

extension AC4SubstreamDescription {
  /// The entry of `dac4` for `substream`.
  fileprivate init(_ substream: AC4Substream, isStereo: Bool) throws(AC4Error) {
    self.init()
    rateMultiplier = substream.rateMultiplier.map { $0 + 1 } ?? 0
    bitRateCode = substream.bitRateCode
    if let coded = substream.channelMode {
      let mode = isStereo ? .stereo : coded
      guard mode.rawValue <= 10 else { throw .unsupported("dac4 for channel mode \(mode.name)") }
      speakerGroups = mode.speakerGroups
    }
    guard let objects = substream.objects else { return }
    isJointlyCoded = objects.isJointlyCoded
    if objects.isStaticDownmix { throw .unsupported("dac4 for objects over a 5.X bed") }
    downmixObjects = objects.downmixSignals
    guard (1...16).contains(objects.downmixSignals) || !isJointlyCoded else {
      throw .unsupported("dac4 for \(objects.downmixSignals) downmix signals")
    }
    // Counts above 16 need an escape in the table of contents; the format's own writers leave it
    // out here, so 20 objects are listed as 16.
    upmixObjects = min(max(1, objects.objects), 16)
    objectKinds =
      (objects.hasBed ? 8 : 0) | (objects.hasDynamicObjects ? 4 : 0)
      | (objects.isIntermediateFormat ? 2 : 0)
  }
}
