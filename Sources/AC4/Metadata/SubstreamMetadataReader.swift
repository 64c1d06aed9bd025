// SPDX-License-Identifier: Apache-2.0

/// Reads `metadata` of an audio substream, frame after frame (TS 103 190-1, 4.2.14; TS 103 190-2, 6.2.6).
struct SubstreamMetadataReader {
  /// Dynamic range settings of the last I-frame (bitstream versions 0 and 1).
  private var dynamicRange = DynamicRangeReader()
  /// Dialogue enhancement of the frame before; `nil` without settings.
  private var enhancement: AC4DialogueEnhancement?

  /// Reads the metadata at the reader's position.
  mutating func read(
    _ bits: inout BitReader, _ context: MetadataContext
  ) throws(AC4Error) -> AC4SubstreamMetadata {
    var data = AC4SubstreamMetadata()
    try basic(&bits, context, &data)
    try extended(&bits, context, &data)
    try tools(&bits, context, &data)
    if try bits.flag() { data.payloads = try AC4Payload.readAll(&bits) }
    return data
  }

  /// `tools_metadata_size` and the data that it counts. If they take other bits than announced, the
  /// announced size counts and the data don't.
  private mutating func tools(
    _ bits: inout BitReader, _ context: MetadataContext, _ data: inout AC4SubstreamMetadata
  ) throws(AC4Error) {
    var size = try bits.read(7)
    if try bits.flag() { size += try bits.variableBits(3) << 7 }
    guard size <= bits.remaining else { throw .damaged("tools metadata beyond the substream") }
    let start = bits.position
    let end = start + size
    do throws(AC4Error) {
      if context.syntaxVersion == 0 {
        data.dynamicRange = try dynamicRange.read(&bits, context)
      }
      data.dialogueEnhancement = try dialogueEnhancement(&bits, context)
      data.hasGoodToolsSize = bits.position == end
    } catch {
      data.hasGoodToolsSize = false
    }
    if !data.hasGoodToolsSize {
      data.dynamicRange = nil
      data.dialogueEnhancement = nil
      try bits.move(to: end, within: start...end)
    }
  }

  /// `basic_metadata`.
  private func basic(
    _ bits: inout BitReader, _ context: MetadataContext, _ data: inout AC4SubstreamMetadata
  ) throws(AC4Error) {
    let isOld = context.syntaxVersion == 0
    if isOld { data.dialnorm = -Double(try bits.read(7)) / 4 }
    guard try bits.flag() else { return }
    if isOld {
      if try bits.flag() {
        data.loudness = try AC4Loudness(&bits, isWhole: true, hasOldEnd: true)
      }
    } else if try bits.flag() {
      data.loudnessCode = try bits.read(8)
      if try bits.flag() {
        data.loudness = try AC4Loudness(&bits, isWhole: false, hasOldEnd: false)
      }
    }
    let mode = context.number
    if mode == 1, try bits.flag() {
      data.stereoOrigin = try bits.read(3)
      data.phaseShift = try bits.read(2)
    }
    if mode > 1 {
      if isOld, try bits.flag() {
        let hasLFE = context.mode?.hasLFE ?? false
        data.downmix = try AC4DownmixGains(&bits, hasLFE: hasLFE, hasCorrections: true)
      }
      try skipMixTypes(&bits, mode)
      // Phase of the surrounds, known attenuations of surrounds and low frequencies.
      try bits.skip(4)
    }
    if try bits.flag() { data.hasDCBlocking = try bits.flag() }
  }

  /// How the programme was mixed up or down before coding, which changes nothing here.
  private func skipMixTypes(_ bits: inout BitReader, _ mode: Int) throws(AC4Error) {
    if mode == 3 || mode == 4 {
      _ = try bits.optional(3)
      _ = try bits.optional(4)
    }
    if (5...10).contains(mode), try bits.flag() {
      try bits.skip(mode <= 6 ? 2 : mode >= 9 ? 1 : 0)
    }
  }

  /// `extended_metadata`.
  private func extended(
    _ bits: inout BitReader, _ context: MetadataContext, _ data: inout AC4SubstreamMetadata
  ) throws(AC4Error) {
    if context.syntaxVersion >= 1 {
      data.isDialogue = try bits.flag()
    } else {
      data.isDialogue = context.isDialogue
      if context.isAssociated {
        let isMono = context.number == 0
        data.scales = try AC4MixScales(&bits) { (_) throws(AC4Error) in isMono }
      }
    }
    if data.isDialogue {
      data.dialogueMaximumGain = try bits.optional(2)
      if try bits.flag() {
        data.dialoguePans.append(try bits.read(8))
        if context.number != 0 {
          data.dialoguePans.append(try bits.read(8))
          // `pan_signal_selector`.
          try bits.skip(2)
        }
      }
    }
    if try bits.flag() { try skipClassifier(&bits, context.number, context.mode?.hasLFE ?? false) }
    // Event probability.
    _ = try bits.optional(4)
  }

  /// `channels_classifier`: which channels are active and have dialogue.
  private func skipClassifier(
    _ bits: inout BitReader, _ mode: Int, _ hasLFE: Bool
  ) throws(AC4Error) {
    // Centre, left and right have a second flag behind the first; all others one alone.
    let withDialogue = (mode == 0 || mode >= 2 ? 1 : 0) + (mode >= 1 ? 2 : 0)
    for _ in 0..<withDialogue where try bits.flag() { try bits.skip(1) }
    if mode >= 3 { try bits.skip(2) }
    if mode == 5 || mode == 6 || mode >= 11 { try bits.skip(2) }
    if mode == 7 || mode == 8 || mode == 15 { try bits.skip(2) }
    if mode == 9 || mode == 10 { try bits.skip(2) }
    if hasLFE { try bits.skip(1) }
  }

  /// `dialog_enhancement`.
  private mutating func dialogueEnhancement(
    _ bits: inout BitReader, _ context: MetadataContext
  ) throws(AC4Error) -> AC4DialogueEnhancement? {
    guard try bits.flag() else {
      // An I-frame without data takes the settings back.
      if context.isIFrame { enhancement = nil }
      enhancement?.parameters = [Int](repeating: 0, count: 24)
      return nil
    }
    var current = enhancement ?? AC4DialogueEnhancement()
    let hasSettings = context.isIFrame ? true : try bits.flag()
    if hasSettings {
      try current.readConfiguration(&bits)
    } else if enhancement == nil {
      throw .needsIFrame("dialogue enhancement")
    }
    try current.readData(&bits, isIFrame: context.isIFrame, context.books)
    if context.number == 13 || context.number == 14, try bits.flag() {
      throw .unsupported("simulcast dialogue enhancement")
    }
    enhancement = current
    return current
  }
}

/// The metadata of an audio substream (`metadata`, TS 103 190-1, 4.2.14).
package struct AC4SubstreamMetadata: Sendable, Equatable {
  /// Dialogue level in dB below full scale, 0…−31.75; only in bitstream versions 0 and 1.
  package internal(set) var dialnorm: Double?
  /// `substream_loudness_bits`, if sent.
  package internal(set) var loudnessCode: Int?
  /// Measured loudness, if sent.
  package internal(set) var loudness: AC4Loudness?
  /// `pre_dmixtyp_2ch`, if sent.
  package internal(set) var stereoOrigin: Int?
  /// `phase90_info_2ch`, if sent.
  package internal(set) var phaseShift: Int?
  /// `dc_block_on`, if sent.
  package internal(set) var hasDCBlocking: Bool?
  /// The gains of a downmix; only in bitstream versions 0 and 1.
  package internal(set) var downmix: AC4DownmixGains?
  /// Whether it is dialogue (`b_dialog`).
  package internal(set) var isDialogue = false
  /// `dialog_max_gain`, if sent.
  package internal(set) var dialogueMaximumGain: Int?
  /// The most gain that a listener may give to its dialogue, in dB, if sent: 3, 6, 9 or 12.
  package var dialogueLimit: Double? { dialogueMaximumGain.map { 3 * Double($0 + 1) } }
  /// `pan_dialog`: where each of one or two channels of dialogue comes from, in steps of 1.5° to the
  /// right, if sent.
  package internal(set) var dialoguePans: [Int] = []
  /// The gains of main audio under this associated audio; only in bitstream versions 0 and 1.
  package internal(set) var scales: AC4MixScales?
  /// Dynamic range control; only in bitstream versions 0 and 1.
  package internal(set) var dynamicRange: AC4DynamicRange?
  /// Dialogue enhancement; `nil` when the frame carries none.
  package internal(set) var dialogueEnhancement: AC4DialogueEnhancement?
  /// Whether the tools' data took as many bits as `tools_metadata_size` announced.
  package internal(set) var hasGoodToolsSize = true
  /// Payloads of its EMDF container.
  package internal(set) var payloads: [AC4Payload] = []

  init() {}
}

/// One payload of an EMDF container (`emdf_payloads_substream`, TS 103 190-1, 4.2.4.3).
package struct AC4Payload: Sendable, Equatable {
  /// `emdf_payload_id`.
  package let id: Int
  package let content: [UInt8]

  /// Reads payloads until the identifier 0, which ends the container.
  static func readAll(_ bits: inout BitReader) throws(AC4Error) -> [AC4Payload] {
    var payloads: [AC4Payload] = []
    while true {
      let id = try bits.escaped(5, variable: 5)
      guard id != 0 else { return payloads }
      try skipConfiguration(&bits)
      payloads.append(AC4Payload(id: id, content: try bits.bytes(try bits.variableBits(8))))
    }
  }

  /// `emdf_payload_config`, which concerns programs that edit streams.
  private static func skipConfiguration(_ bits: inout BitReader) throws(AC4Error) {
    let hasOffset = try bits.flag()
    if hasOffset { _ = try bits.variableBits(11) }
    if try bits.flag() { _ = try bits.variableBits(11) }
    if try bits.flag() { _ = try bits.variableBits(2) }
    if try bits.flag() { try bits.skip(8) }
    guard try !bits.flag() else { return }
    var isTimed = hasOffset
    if !hasOffset, try bits.flag() {
      try bits.skip(2)
      isTimed = true
    }
    if isTimed { try bits.skip(7) }
  }
}

/// The properties of a substream that the syntax of its metadata depends on.
struct MetadataContext {
  /// Channels; `nil` for objects.
  let mode: AC4ChannelMode?
  /// `sus_ver`: 0 in bitstream versions 0 and 1, else 1.
  let syntaxVersion: Int
  /// Whether the metadata can be read without earlier frames.
  let isIFrame: Bool
  /// Whether the substream is associated audio; only matters in old substreams.
  var isAssociated = false
  /// Whether the substream is dialogue; only matters in old substreams.
  var isDialogue = false
  /// Samples per frame at the coded rate.
  let frameLength: Int
  /// The codebooks.
  let books: MetadataBooks

  /// `ch_mode`, −1 for objects.
  var number: Int { mode?.rawValue ?? -1 }
  /// Groups of channels with dynamic range gains of their own (`nr_drc_channels`).
  var gainChannels: Int { number <= 1 ? 1 : number <= 10 ? 3 : 4 }
  /// Dynamic range gains along time in a frame (`nr_drc_subframes`).
  var subframes: Int {
    switch frameLength {
    case ..<512: return 1
    case ..<768: return 2
    case ..<1024: return 3
    case ..<1536: return 4
    case ..<2048: return 6
    default: return 8
    }
  }
}
