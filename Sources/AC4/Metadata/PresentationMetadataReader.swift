// SPDX-License-Identifier: Apache-2.0

/// Reads `ac4_presentation_substream` of frame after frame (TS 103 190-2, 6.2.2.2).
struct PresentationMetadataReader {
  private var dynamicRange = DynamicRangeReader()

  /// Reads the substream that begins at the reader's position.
  /// - Parameters:
  ///   - presentation: its entry in the table of contents.
  ///   - substreams: how many substreams its groups have together.
  mutating func read(
    _ bits: inout BitReader, _ presentation: AC4Presentation, substreams: Int,
    _ context: MetadataContext
  ) throws(AC4Error) -> AC4PresentationMetadata {
    let start = bits.position
    var data = AC4PresentationMetadata()
    if presentation.isAlternative { try alternative(&bits, substreams, &data) }
    if try bits.flag() { try additional(&bits, start, context, &data) }
    data.dialnorm = -Double(try bits.read(7)) / 4
    if try bits.flag() {
      data.loudness = try AC4Loudness(&bits, isWhole: true, hasOldEnd: false)
    }
    try dynamicRangeData(&bits, context, &data)
    let groups = PresentationMetadataReader.mixedGroups(presentation)
    if groups > 1, try bits.flag() {
      data.keepsGroupGains = try bits.flag()
      if !data.keepsGroupGains {
        var gains: [Int] = []
        for _ in 0..<groups { gains.append(try bits.read(6)) }
        data.groupGains = gains
      }
    }
    data.isAssociated = try bits.flag()
    if data.isAssociated {
      data.scales = try AC4MixScales(&bits) { (bits) throws(AC4Error) in try bits.flag() }
    }
    try mixing(&bits, context, &data)
    try bits.align(from: start)
    return data
  }

  /// Number of groups that are mixed. Groups with a waveform for dialogue enhancement, in configurations 1
  /// and 4, don't count.
  private static func mixedGroups(_ presentation: AC4Presentation) -> Int {
    guard let configuration = presentation.configuration else { return 1 }
    return configuration < 5 ? [2, 1, 2, 3, 2][configuration] : presentation.groups.count
  }

  /// Name and targets of an alternative presentation; only the name is kept.
  private func alternative(
    _ bits: inout BitReader, _ substreams: Int, _ data: inout AC4PresentationMetadata
  ) throws(AC4Error) {
    if try bits.flag() {
      let length = try bits.flag() ? try bits.read(5) : 32
      let name = try bits.bytes(length).prefix { $0 != 0 }
      data.name = String(decoding: name, as: UTF8.self)
    }
    var targets = try bits.read(2) + 1
    if targets == 4 { targets += try bits.variableBits(2) }
    for _ in 0..<targets {
      // `target_level`, `target_device_category`; its extension, ducking depth, loudness correction.
      try bits.skip(7)
      for width in [4, 6, 5] { _ = try bits.optional(width) }
      for _ in 0..<substreams where try bits.flag() { _ = try bits.escaped(1, variable: 2) }
    }
  }

  /// The data behind `b_additional_data`, of which only the first flag is kept.
  private func additional(
    _ bits: inout BitReader, _ start: Int, _ context: MetadataContext,
    _ data: inout AC4PresentationMetadata
  ) throws(AC4Error) {
    var count = try bits.read(4) + 1
    if count == 16 { count += try bits.variableBits(2) }
    try bits.align(from: start)
    let end = bits.position + 8 * count
    data.isImmersive = try bits.flag()
    guard end >= bits.position else { throw .damaged("additional data of \(count) bytes") }
    try bits.move(to: end)
  }

  /// `drc_frame`. If it takes other bits than announced, the announced size counts and the data don't.
  private mutating func dynamicRangeData(
    _ bits: inout BitReader, _ context: MetadataContext, _ data: inout AC4PresentationMetadata
  ) throws(AC4Error) {
    var size = try bits.read(5)
    if try bits.flag() { size += try bits.variableBits(3) << 5 }
    guard size <= bits.remaining else { throw .damaged("DRC data beyond the substream") }
    let start = bits.position
    do throws(AC4Error) {
      data.dynamicRange = try dynamicRange.read(&bits, context)
      data.hasGoodDRCSize = bits.position == start + size
    } catch {
      data.hasGoodDRCSize = false
    }
    if !data.hasGoodDRCSize {
      data.dynamicRange = AC4DynamicRange()
      try bits.move(to: start + size, within: start...start + size)
    }
  }

  /// `custom_dmx_data` and `loud_corr`. The fields of immersive modes are skipped: this decoder doesn't mix them
  /// down, and nothing follows.
  private func mixing(
    _ bits: inout BitReader, _ context: MetadataContext, _ data: inout AC4PresentationMetadata
  ) throws(AC4Error) {
    let mode = context.number
    guard mode <= 10 else {
      try bits.move(to: bits.end)
      return
    }
    if mode >= 3, try bits.flag() {
      data.downmix = try AC4DownmixGains(
        &bits, hasLFE: context.mode?.hasLFE ?? false, hasCorrections: false)
    }
    let toImmersive = mode > 4 ? try bits.flag() : false
    if mode > 1 {
      data.loRoCorrection = try bits.optional(5)
      data.ltRtCorrection = try bits.optional(5)
    }
    if mode > 4 {
      // Corrections of downmixes to 5.X and, from immersive audio, to 5.X.2 and 7.X.
      _ = try bits.optional(5)
      if toImmersive {
        _ = try bits.optional(5)
        _ = try bits.optional(5)
      }
    }
  }
}

/// The metadata of a presentation's own substream (`ac4_presentation_substream`, TS 103 190-2, 6.2.2.2).
package struct AC4PresentationMetadata: Sendable, Equatable {
  /// Name of an alternative presentation, if sent.
  package internal(set) var name: String?
  /// `immersive_audio_indicator` (`dolby_atmos_indicator` in `dac4`); `nil` when not sent.
  package internal(set) var isImmersive: Bool?
  /// Dialogue level in dB below full scale, 0…−31.75.
  package internal(set) var dialnorm = 0.0
  /// Measured loudness, if sent.
  package internal(set) var loudness: AC4Loudness?
  /// Dynamic range control.
  package internal(set) var dynamicRange = AC4DynamicRange()
  /// Whether the dynamic range data took as many bits as `drc_metadata_size` announced.
  package internal(set) var hasGoodDRCSize = true
  /// `sg_gain` of each substream group, as coded, if sent.
  package internal(set) var groupGains: [Int]?
  /// Whether the gains of earlier frames go on (`b_keep`).
  package internal(set) var keepsGroupGains = false
  /// Whether it accompanies another programme.
  package internal(set) var isAssociated = false
  /// The gains of main audio under associated audio, if sent.
  package internal(set) var scales: AC4MixScales?
  /// The gains of a downmix, if sent.
  package internal(set) var downmix: AC4DownmixGains?
  /// Loudness correction of the Lo/Ro downmix as coded, if sent.
  package internal(set) var loRoCorrection: Int?
  /// Loudness correction of the Lt/Rt downmix as coded, if sent.
  package internal(set) var ltRtCorrection: Int?

  init() {}
}

/// The metadata of one presentation's own substream, frame by frame.
struct PresentationMetadataState {
  private let mode: AC4ChannelMode?
  private let frameLength: Int
  private let books = MetadataBooks()
  private var reader = PresentationMetadataReader()

  /// The state before the first frame of a presentation with these channels; `nil` for objects.
  /// - Parameter frameLength: samples of a transport frame at the coded rate.
  init(_ mode: AC4ChannelMode?, frameLength: Int) {
    self.mode = mode
    self.frameLength = frameLength
  }

  /// Reads the substream of `presentation` in the frame that `bits` begins; `nil` when it has none, as in
  /// streams of bitstream version 0. Nothing changes when it throws.
  /// - Parameter substreams: how many substreams its groups have together.
  mutating func read(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ presentation: AC4Presentation,
    substreams: Int
  ) throws(AC4Error) -> AC4PresentationMetadata? {
    guard let index = presentation.substream else { return nil }
    guard toc.substreams.indices.contains(index) else {
      throw .damaged("a presentation without its substream")
    }
    let range = toc.substreams[index]
    var part = try bits.part(at: range.lowerBound, count: range.count)
    let context = MetadataContext(
      mode: mode, syntaxVersion: 1, isIFrame: presentation.isIndependent,
      frameLength: frameLength, books: books)
    var renewed = reader
    let data = try renewed.read(&part, presentation, substreams: substreams, context)
    reader = renewed
    return data
  }

  /// Forgets the settings of the last I-frame.
  mutating func forgetSettings() { reader = PresentationMetadataReader() }
}
