/// What a presentation's own substream says (`ac4_presentation_substream`, TS 103 190-2, 6.2.2.2).
package struct AC4PresentationMetadata: Sendable, Equatable {
  /// Name of an alternative presentation, if sent.
  package internal(set) var name: String?
  /// `immersive_audio_indicator` (`dolby_atmos_indicator` in `dac4`); `nil` when nothing is said.
  package internal(set) var isImmersive: Bool?
  /// Dialogue level in dB below full scale, 0…−31.75.
  package internal(set) var dialnorm = 0.0
  /// Measured loudness, if sent.
  package internal(set) var loudness: AC4Loudness?
  /// Dynamic range control.
  package internal(set) var dynamicRange = AC4DynamicRange()
  /// Whether the DRC data took as many bits as announced.
  package internal(set) var hasGoodDRCSize = true
  /// Gain code of each substream group, if sent.
  package internal(set) var groupGains: [Int]?
  /// Whether the gains sent last go on (`b_keep`).
  package internal(set) var keepsGroupGains = false
  /// Whether it accompanies another programme.
  package internal(set) var isAssociated = false
  /// How the rest steps back behind associated audio, if sent.
  package internal(set) var scales: AC4MixScales?
  /// How to mix down, if sent.
  package internal(set) var downmix: AC4DownmixGains?
  /// Loudness correction of the Lo/Ro downmix as coded, if sent.
  package internal(set) var loRoCorrection: Int?
  /// Loudness correction of the Lt/Rt downmix as coded, if sent.
  package internal(set) var ltRtCorrection: Int?

  init() {}
}
