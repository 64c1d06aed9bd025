// SPDX-License-Identifier: Apache-2.0

/// A mix that can be played.
package struct PlayableMix: Equatable, Sendable {
  /// A gain over time.
  package struct Gain: Equatable, Sendable {
    /// The parameter whose blocks say what it is; `nil` where none does.
    package var parameterID: Int?
    /// In dB where no block says another.
    package var defaultGain: Double

    /// The gain that `definition` describes.
    init(_ definition: MixGainDefinition) {
      parameterID = definition.parameter.id
      defaultGain = definition.defaultGain
    }

    /// A gain of 0 dB.
    init() {
      parameterID = nil
      defaultGain = 0
    }
  }

  /// An element of the mix.
  package struct Element: Equatable, Sendable {
    /// The ``PlayableElement``.
    package var id: Int
    /// Rendering of an element of channels for headphones.
    package var headphonesMode: RenderingConfig.HeadphonesMode
    package var gain: Gain
  }

  /// Elements that are summed.
  package struct Part: Equatable, Sendable {
    /// Elements that are summed.
    package var elements: [Element]
    /// The gain of the sum.
    package var outputGain: Gain
  }

  private static let mostElements = 28

  /// The mix as the file describes it; `nil` where the file describes none and its one element is played.
  package let presentation: MixPresentation?
  /// Sums of elements: one part but in the draft of version 2.
  package let parts: [Part]
  /// Samples per second.
  package let sampleRate: Int
  /// Samples of each frame; 0 where the frames' bytes say it.
  package let samplesPerFrame: Int

  package var elements: [Element] { parts.flatMap(\.elements) }

  /// The mix of one element, as it is.
  init(only element: PlayableElement) {
    presentation = nil
    parts = [
      Part(
        elements: [Element(id: element.element.id, headphonesMode: .binaural, gain: Gain())],
        outputGain: Gain())
    ]
    sampleRate = element.codec.sampleRate ?? 0
    samplesPerFrame = element.codec.samplesPerFrame
  }

  /// A mix of elements that can be played.
  /// - Throws: ``IAMFError`` where one can't, or the limits of all known profiles don't hold.
  init(
    _ mix: MixPresentation, _ known: [Int: PlayableElement], mostParts: Int
  ) throws(IAMFError) {
    presentation = mix
    guard mix.subMixes.count <= mostParts else {
      throw .unsupported("\(mix.subMixes.count) sub-mixes")
    }
    parts = mix.subMixes.map { subMix in
      Part(
        elements: subMix.elements.map {
          Element(id: $0.id, headphonesMode: $0.rendering.headphonesMode, gain: Gain($0.gain))
        }, outputGain: Gain(subMix.outputGain))
    }
    let wanted = parts.flatMap(\.elements)
    guard Set(wanted.map(\.id)).count == wanted.count else {
      throw .malformed("an element that is mixed twice")
    }
    guard wanted.count <= PlayableMix.mostElements else {
      throw .unsupported("\(wanted.count) elements")
    }
    var codecs: [CodecConfig] = []
    var channels = 0
    for element in wanted {
      guard let playable = known[element.id] else {
        throw .unsupported("element \(element.id), which can't be played")
      }
      guard element.headphonesMode != .reserved else {
        throw .unsupported("a reserved headphones_rendering_mode")
      }
      codecs.append(playable.codec)
      channels += playable.decodedCount
    }
    guard channels <= PlayableElement.mostChannels else {
      throw .unsupported("\(channels) coded channels")
    }
    sampleRate = codecs.first?.sampleRate ?? 0
    samplesPerFrame = codecs.first?.samplesPerFrame ?? 0
    for codec in codecs {
      guard codec.sampleRate == sampleRate, codec.samplesPerFrame == samplesPerFrame else {
        throw .unsupported("elements of different sample rates or frame lengths")
      }
    }
  }
}
