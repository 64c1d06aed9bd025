import AC4

/// One presentation of an AC-4 track, as its first I-frame describes it.
package struct PresentationFacts: Sendable, Hashable, Codable {
  /// Index in the table of contents, from 0.
  package let index: Int
  /// Its id, if it has one.
  package let id: Int?
  /// Channel mode, e.g. `stereo`; `nil` for objects.
  package let channels: String?
  /// Whether it is immersive stereo, made for headphones.
  package let isImmersiveStereo: Bool
  /// Whether it holds audio objects.
  package let hasObjects: Bool
  /// Languages of its substreams.
  package let languages: [String]
  /// Frames a second.
  package let frameRate: Double
  /// Dialogue normalisation, dB relative to full scale.
  package let dialnorm: Double?
  /// Integrated loudness that the stream states, LUFS.
  package let integrated: Double?
  /// True peak that the stream states, dBTP.
  package let truePeak: Double?
  /// Whether it carries dynamic range control.
  package let hasDynamicRange: Bool
  /// Whether its dialogue can be enhanced.
  package let hasDialogueEnhancement: Bool

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
