import AC4

/// One presentation of an AC-4 track, as its first I-frame describes it.
public struct PresentationFacts: Sendable, Hashable, Codable {
  /// Place in the table of contents, from 0.
  public let index: Int
  /// Its id, if it has one.
  public let id: Int?
  /// Channel mode, e.g. `stereo`; `nil` for objects.
  public let channels: String?
  /// Whether it is immersive stereo, made for headphones.
  public let isImmersiveStereo: Bool
  /// Whether it holds audio objects.
  public let hasObjects: Bool
  /// Languages of its substreams.
  public let languages: [String]
  /// Frames a second.
  public let frameRate: Double
  /// Dialogue normalisation, dB.
  public let dialnorm: Double?
  /// Integrated loudness that the stream states, LUFS.
  public let integrated: Double?
  /// True peak that the stream states, dBTP.
  public let truePeak: Double?
  /// Whether it carries dynamic range control.
  public let hasDynamicRange: Bool
  /// Whether its dialogue can be enhanced.
  public let hasDialogueEnhancement: Bool

  init(_ facts: AC4PresentationFacts, of frame: AC4FrameFacts) {
    let rate = frame.toc.frameRate.framesPerSecond
    index = facts.index
    id = facts.presentation.id
    channels = facts.channelMode?.name
    isImmersiveStereo = facts.presentation.isImmersiveStereo
    hasObjects = facts.objects != nil
    languages = facts.languages
    frameRate = Double(rate.numerator) / Double(rate.denominator)
    dialnorm = facts.dialnorm
    integrated = facts.loudness?.integrated
    truePeak = facts.loudness?.truePeak
    hasDynamicRange = facts.dynamicRange != nil
    hasDialogueEnhancement = facts.dialogueEnhancement != nil
  }
}
