/// A presentation as `dac4` lists it (`ac4_presentation_v1_dsi`, TS 103 190-2, E.10).
public struct AC4PresentationDescription: Sendable, Equatable {
  /// `presentation_version`: 1 channels or objects, 2 immersive stereo.
  public var version = 1
  /// `presentation_config_v1`: 0x1F for one group, 0x06 for EMDF containers only.
  public var configuration = 0x1F
  /// `mdcompat`: the decoder level it needs.
  public var level = 0
  /// `presentation_id`, 0…31, if given.
  public var id: Int?
  /// `dsi_frame_rate_multiply_info`: 0, 1, 2 for a factor of 1, 2, 4.
  public var frameRateMultiply = 0
  /// `dsi_frame_rate_fraction_info`: 0, 1, 2 for a fraction of 1, 2, 4.
  public var frameRateFraction = 0
  /// `presentation_emdf_version`.
  public var emdfVersion = 0
  /// `presentation_key_id`.
  public var key = 0
  /// `dsi_presentation_ch_mode`; `nil` for objects.
  public var channelMode: Int?
  /// Whether four channels lie behind; only stated for modes 11…14.
  public var hasFourBack = false
  /// Pairs of top channels; only stated for modes 11…14.
  public var topPairs = 0
  /// Speaker groups, one bit each.
  public var speakerGroups = 0
  /// Whether a core decode differs.
  public var coreDiffers = false
  /// `dsi_presentation_channel_mode_core`, when the core codes channels.
  public var coreChannelMode: Int?
  /// `b_enable_presentation`, when a filter is given.
  public var isEnabled: Bool?
  /// The filter's data.
  public var filter: [UInt8] = []
  /// `b_multi_pid`.
  public var isMultiPID = false
  /// Its groups.
  public var groups: [AC4GroupDescription] = []
  /// Data of an unknown configuration.
  public var extensionData: [UInt8] = []
  /// Whether it is already rendered for headphones.
  public var isPreVirtualized = false
  /// Further EMDF containers.
  public var additionalEMDF: [AC4EMDFInfo] = []
  /// Bit rate of this presentation, if given.
  public var bitRate: AC4BitRate?
  /// Name of an alternative presentation; `nil` when it is none.
  public var alternativeName: [UInt8]?
  /// What the alternative is meant for.
  public var alternativeTargets: [AC4AlternativeTarget] = []
  /// `de_indicator`: whether dialogue can be enhanced; `nil` when the flags are absent.
  public var hasDialogueEnhancement: Bool?
  /// `dolby_atmos_indicator`.
  public var isImmersive = false
  /// `extended_presentation_id`, if given.
  public var extendedID: Int?
  /// The whole entry when its version isn't 1 or 2; its other fields then mean nothing.
  public var opaque: [UInt8]?

  init() {}
}
