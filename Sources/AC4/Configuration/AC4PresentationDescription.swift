/// A presentation as `dac4` lists it (`ac4_presentation_v1_dsi`, TS 103 190-2, E.10).
package struct AC4PresentationDescription: Sendable, Equatable {
  /// `presentation_version`: 1 channels or objects, 2 immersive stereo.
  package var version = 1
  /// `presentation_config_v1`: 0x1F for one group, 0x06 for EMDF containers only.
  package var configuration = 0x1F
  /// `mdcompat`: the decoder level it needs.
  package var level = 0
  /// `presentation_id`, 0…31, if given.
  package var id: Int?
  /// `dsi_frame_rate_multiply_info`: 0, 1, 2 for a factor of 1, 2, 4.
  package var frameRateMultiply = 0
  /// `dsi_frame_rate_fraction_info`: 0, 1, 2 for a fraction of 1, 2, 4.
  package var frameRateFraction = 0
  /// `presentation_emdf_version`.
  package var emdfVersion = 0
  /// `presentation_key_id`.
  package var key = 0
  /// `dsi_presentation_ch_mode`; `nil` for objects.
  package var channelMode: Int?
  /// Whether four channels lie behind; only stated for modes 11…14.
  package var hasFourBack = false
  /// Pairs of top channels; only stated for modes 11…14.
  package var topPairs = 0
  /// Speaker groups, one bit each.
  package var speakerGroups = 0
  /// Whether a core decode differs.
  package var coreDiffers = false
  /// `dsi_presentation_channel_mode_core`, when the core codes channels.
  package var coreChannelMode: Int?
  /// `b_enable_presentation`, when a filter is given.
  package var isEnabled: Bool?
  /// The filter's data.
  package var filter: [UInt8] = []
  /// `b_multi_pid`.
  package var isMultiPID = false
  /// Its groups.
  package var groups: [AC4GroupDescription] = []
  /// Data of an unknown configuration.
  package var extensionData: [UInt8] = []
  /// Whether it is already rendered for headphones.
  package var isPreVirtualized = false
  /// Further EMDF containers.
  package var additionalEMDF: [AC4EMDFInfo] = []
  /// Bit rate of this presentation, if given.
  package var bitRate: AC4BitRate?
  /// Name of an alternative presentation; `nil` when it is none.
  package var alternativeName: [UInt8]?
  /// What the alternative is meant for.
  package var alternativeTargets: [AC4AlternativeTarget] = []
  /// `de_indicator`: whether dialogue can be enhanced; `nil` when the flags are absent.
  package var hasDialogueEnhancement: Bool?
  /// `dolby_atmos_indicator`.
  package var isImmersive = false
  /// `extended_presentation_id`, if given.
  package var extendedID: Int?
  /// The whole entry when its version isn't 1 or 2; its other fields then mean nothing.
  package var opaque: [UInt8]?

  init() {}
}
