// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import IAMF
import LibAV

/// The facts about an audio track once its decoder is open.
package struct TrackDescription: Sendable {
  /// The stream that is read.
  package var stream: StreamInfo
  /// Samples that the track probably has; `nil` when nothing states it.
  package var expectedSamples: Int64?
  /// Samples that the container declares; `nil` when the number would be an estimate.
  package var declaredSamples: Int64?
  /// Samples of the programme, without start-up and padding, where a header states both to the sample.
  package var programmeSamples: Int64?
  /// Whether ``declaredSamples`` is exact, and not rounded to the container's clock.
  package var isCountExact = false
  /// The presentations of AC-4 or TrueHD to choose from; empty for other codecs.
  package var presentations: [PresentationFacts] = []
  /// The mixes of IAMF to choose from; empty for other codecs, and where the file describes none.
  package var mixes: [MixFacts] = []
  /// Facts about objects that are decoded from a downmix; `nil` for any other track.
  package var objectCoding: ObjectCodingFacts?
}

/// A decoded audio track: its programme, and how far decoding has come.
package protocol TrackReader: TimedSource {
  /// Facts about the track when it was opened.
  var track: TrackDescription { get }
  /// Samples handed out or left out so far.
  var decodedSamples: Int64 { get }
  /// Samples handed out before the bitstream first stated another mix to two channels than the
  /// programme's facts; `nil` while it hasn't.
  var downmixChange: Int64? { get }
  /// Facts about the programme's objects; empty for a bed.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  func objects() throws -> [ObjectFacts]
}

extension TrackReader {
  /// None.
  package func objects() -> [ObjectFacts] { [] }
}

/// One presentation of an AC-4 or TrueHD track, as the first frame that decoding can begin with describes it.
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

  /// A presentation of a codec without ids, languages and stated loudness.
  init(
    index: Int, channels: String?, isImmersiveStereo: Bool, hasObjects: Bool, frameRate: Double,
    dialnorm: Double?, hasDynamicRange: Bool
  ) {
    (self.index, self.channels, self.hasObjects) = (index, channels, hasObjects)
    (self.isImmersiveStereo, self.frameRate) = (isImmersiveStereo, frameRate)
    (self.dialnorm, self.hasDynamicRange) = (dialnorm, hasDynamicRange)
    (id, languages, integrated, truePeak, hasDialogueEnhancement) = (nil, [], nil, nil, false)
  }

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

/// A mix presentation of an IAMF track, as its descriptors state it.
package struct MixFacts: Sendable, Equatable {
  /// A name and the language that it is written in (BCP 47).
  package struct Name: Sendable, Equatable {
    package let language: String
    /// The name.
    package let text: String
  }

  /// An element of the mix.
  package struct Element: Sendable, Equatable {
    /// The content of an element.
    package enum Content: Sendable, Equatable {
      /// Channels, with the names of all layers' layouts, the lowest first.
      case channels(layers: [String])
      /// A sound field of this order.
      case scene(order: Int)
      /// Neither, of this `audio_element_type`.
      case other(type: Int)
      /// The file doesn't describe it.
      case missing
    }

    /// Its number.
    package let id: Int
    /// Names of the element, by language.
    package let names: [Name]
    package let content: Content
    /// Rendering of its channels for headphones.
    package let headphones: RenderingConfig.HeadphonesMode
    /// Its gain in dB where no parameter block says another.
    package let gain: Double
  }

  /// Elements that are summed.
  package struct Part: Sendable, Equatable {
    /// Elements that are summed.
    package let elements: [Element]
    /// Gain of the sum in dB where no parameter block says another.
    package let gain: Double
    /// How loud it is on some layouts, as the file says.
    package let loudness: [LayoutLoudness]
  }

  /// Its number.
  package let id: Int
  /// Names of the mix, by language.
  package let names: [Name]
  /// Language of what is heard (ISO 639-2), where stated.
  package let language: String?
  /// Sums of elements: one part but in the draft of version 2.
  package let parts: [Part]
  /// Tags besides the language, names and values.
  package let tags: [MixPresentation.Tag]
  /// Whether it is the one that is played.
  package let isChosen: Bool
  /// Why it can't be played; `nil` where it can.
  package let refusal: String?

  /// A mix of the sequence `description`.
  init(_ mix: MixPresentation, of description: SequenceDescription, isChosen: Bool) {
    id = mix.id
    names = MixFacts.names(mix.languages, mix.annotations)
    language = mix.contentLanguage
    parts = mix.subMixes.map { part in
      Part(
        elements: part.elements.map { element in
          Element(
            id: element.id, names: MixFacts.names(mix.languages, element.annotations),
            content: MixFacts.content(description.elements.first { $0.id == element.id }),
            headphones: element.rendering.headphonesMode, gain: element.gain.defaultGain)
        }, gain: part.outputGain.defaultGain, loudness: part.loudness)
    }
    tags = (mix.tags ?? []).filter { $0.name != "content_language" }
    self.isChosen = isChosen
    let isPlayable = description.playableMixes.contains { $0.presentation?.id == mix.id }
    let cause = description.ignored.first { $0.kind == .mixPresentation && $0.id == mix.id }
    refusal = isPlayable ? nil : cause?.error.reason ?? "it can't be read"
  }

  private static func names(_ languages: [String], _ texts: [String]) -> [Name] {
    zip(languages, texts).map { Name(language: $0, text: $1) }
  }

  private static func content(_ element: AudioElement?) -> Element.Content {
    switch element?.content {
    case .channels(let layers): return .channels(layers: layers.map(\.layoutName))
    case .scene(let config): return .scene(order: IAMFScene.order(config.channelCount))
    case .other: return .other(type: element?.type ?? -1)
    case nil: return .missing
    }
  }
}

extension SequenceDescription {
  /// All mixes that can be read; `chosen` is the one that is played.
  func mixFacts(chosen: PlayableMix) -> [MixFacts] {
    mixes.map { MixFacts($0, of: self, isChosen: $0.id == chosen.presentation?.id) }
  }
}
