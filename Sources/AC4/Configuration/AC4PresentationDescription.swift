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
  /// Which devices may play it, if stated.
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
