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
