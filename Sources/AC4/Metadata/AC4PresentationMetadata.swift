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
