import IAMF

/// A mix presentation of an IAMF track, as its descriptors state it.
package struct MixFacts: Sendable, Equatable {
  /// A name and the language that it is written in (BCP 47).
  package struct Name: Sendable, Equatable {
    /// The language.
    package let language: String
    /// The name.
    package let text: String
  }

  /// An element of the mix.
  package struct Element: Sendable, Equatable {
    /// What an element is.
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
    /// What it is called.
    package let names: [Name]
    /// What it is.
    package let content: Content
    /// What headphones get of its channels.
    package let headphones: RenderingConfig.HeadphonesMode
    /// Its gain in dB where no parameter block says another.
    package let gain: Double
  }

  /// Elements that are summed.
  package struct Part: Sendable, Equatable {
    /// What is summed.
    package let elements: [Element]
    /// Gain of the sum in dB where no parameter block says another.
    package let gain: Double
    /// How loud it is on some layouts, as the file says.
    package let loudness: [LayoutLoudness]
  }

  /// Its number.
  package let id: Int
  /// What it is called.
  package let names: [Name]
  /// Language of what is heard (ISO 639-2), where stated.
  package let language: String?
  /// What is summed: one part but in the draft of version 2.
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
