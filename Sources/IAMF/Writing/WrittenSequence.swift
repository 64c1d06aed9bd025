// SPDX-License-Identifier: Apache-2.0

/// A sequence that is written: its descriptors, and its temporal units.
///
/// The sequence has one codec and one mix of all elements, at 0 dB.
package struct WrittenSequence: Sendable {
  /// The first type of audio frames whose substream the type names, and how many there are.
  private static let namedFrames = (first: 6, count: 18)

  package let elements: [WrittenElement]
  /// How substreams are coded.
  package let codec: CodecConfig
  /// The smallest profile that holds the mix: 0 Simple, 1 Base, 2 Base-Enhanced.
  package let profile: Int
  /// Descriptors: the sequence header, the codec, the elements, the mix.
  package let descriptors: [UInt8]
  /// Description that a reader finds in ``descriptors``.
  package let description: SequenceDescription

  /// A sequence of elements whose substreams have the same codec.
  /// - Parameters:
  ///   - elements: what is mixed, in the order of their substreams.
  ///   - title: what the mix is called.
  ///   - language: the programme's language as ISO 639-2 or BCP 47 names it; `nil` if it isn't known.
  ///   - loudness: how loud the mix is on some layouts; the standard demands stereo among them.
  /// - Throws: ``IAMFError`` where no profile holds the elements, or the description can't be read back.
  package init(
    elements: [WrittenElement], codec: CodecConfig, title: String?, language: String?,
    loudness: [LayoutLoudness]
  ) throws(IAMFError) {
    self.elements = elements
    self.codec = codec
    let profile = try Profile(holding: elements)
    self.profile = profile.rawValue
    let header = SequenceHeader(
      primaryProfile: profile.rawValue, additionalProfile: profile.rawValue)
    var numbers = ParameterNumbers()
    let described = WrittenSequence.described(elements, codec, &numbers)
    let mix = MixPresentation(
      described.map(\.id), rate: codec.sampleRate ?? 0, title: title, language: language,
      loudness: loudness, &numbers)
    descriptors =
      OBU.bytes(31, .written { header.write(to: &$0) })
      + OBU.bytes(0, .written { codec.write(to: &$0) })
      + described.flatMap { element in OBU.bytes(1, .written { element.write(to: &$0) }) }
      + OBU.bytes(2, .written { mix.write(to: &$0) })
    description = try SequenceDescription(configOBUs: descriptors)
    if let ignored = description.ignored.first { throw ignored.error }
  }

  /// The elements' descriptors; numbers of elements begin with 1, of substreams with 0.
  private static func described(
    _ elements: [WrittenElement], _ codec: CodecConfig, _ numbers: inout ParameterNumbers
  ) -> [AudioElement] {
    var substream = 0
    return elements.enumerated().map { index, element in
      let descriptor = element.descriptor(
        index + 1, codec, firstSubstream: substream, firstParameter: numbers.next)
      substream += descriptor.substreamIDs.count
      numbers.next += descriptor.parameters.count
      return descriptor
    }
  }

  /// The element `index` as a reader plays it.
  package func playable(_ index: Int) -> PlayableElement? {
    description.playableElements[index + 1]
  }

  /// The value of the `codecs` parameter (6.4), such as `iamf.000.000.Opus`.
  package var codecsText: String { description.codecsText }

  /// A temporal unit.
  /// - Parameters:
  ///   - frames: a coded frame of each substream of all elements, in their order.
  ///   - trim: samples of all frames that aren't presented.
  ///   - reconGains: for each element those of its layers, as ``ReconGainMeter`` gives them; `nil` or missing
  ///     where there are none.
  ///   - hasDelimiter: whether a delimiter begins the unit, as it may in a raw file if it begins every one, and
  ///     may not in MP4 (6.2.5).
  package func unit(
    _ frames: [[UInt8]], trim: OBU.Trim, reconGains: [[ParameterBlock.LayerGains?]?],
    hasDelimiter: Bool
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.reduce(64) { $0 + $1.count + 16 })
    if hasDelimiter { bytes += OBU.bytes(4, []) }
    for index in elements.indices {
      let gains = index < reconGains.count ? reconGains[index] : nil
      if let block = reconBlock(index, gains ?? []) {
        bytes += OBU.bytes(3, .written { block.write(to: &$0) })
      }
    }
    let named = WrittenSequence.namedFrames
    for (id, frame) in frames.enumerated() {
      if id < named.count {
        bytes += OBU.bytes(named.first + id, trim: trim, frame)
      } else {
        bytes += OBU.bytes(5, trim: trim, [UInt8].written { $0.leb128(id) } + frame)
      }
    }
    return bytes
  }

  /// The block of recon gains of element `index`; `nil` where no layer has any. A parameter has a block in every
  /// unit or in none, so a layer whose gains are missing gets one without channels.
  private func reconBlock(
    _ index: Int, _ gains: [ParameterBlock.LayerGains?]
  ) -> ParameterBlock? {
    guard let element = playable(index)?.element, let definition = element.reconGain,
      case .channels(let layers) = element.content, layers.contains(where: \.hasReconGain)
    else { return nil }
    let values = layers.enumerated().map { layer, described in
      described.hasReconGain
        ? (layer < gains.count ? gains[layer] : nil)
          ?? ParameterBlock.LayerGains(flags: 0, gains: [])
        : nil
    }
    return ParameterBlock(
      id: definition.id, rate: definition.rate, timing: nil,
      subblocks: [
        ParameterBlock.Subblock(duration: codec.samplesPerFrame, value: .reconGain(values))
      ])
  }
}

/// Gives parameters distinct numbers.
struct ParameterNumbers {
  var next = 1

  /// Takes the next one.
  mutating func take() -> Int {
    defer { next += 1 }
    return next
  }
}

extension Profile {
  /// Limits of a mix in each published profile: elements and coded channels.
  private static let limits: [(profile: Profile, elements: Int, channels: Int)] = [
    (.simple, 1, 16), (.base, 2, 18), (.baseEnhanced, 28, 28),
  ]

  /// The smallest published profile that holds a mix of `elements` (4.1 to 4.3).
  /// - Throws: ``IAMFError/unsupported(_:)`` where none does.
  init(holding elements: [WrittenElement]) throws(IAMFError) {
    let channels = elements.reduce(0) { $0 + $1.channelCount }
    let scalable = elements.count { $0.layers.count > 1 }
    let scenes = elements.count { $0.layers.isEmpty }
    let isPlain = scalable <= 1 && scenes <= 1
    guard !elements.isEmpty,
      let limit = Profile.limits.first(where: {
        elements.count <= $0.elements && channels <= $0.channels
          && (isPlain || $0.profile == .baseEnhanced)
      })
    else {
      throw .unsupported("a mix of \(elements.count) elements with \(channels) channels in all")
    }
    self = limit.profile
  }
}

extension MixPresentation {
  /// The mix of all `elements` at 0 dB, of which headphones get HRTF.
  fileprivate init(
    _ elements: [Int], rate: Int, title: String?, language: String?, loudness: [LayoutLoudness],
    _ numbers: inout ParameterNumbers
  ) {
    // Blocks would say their own durations; there are none.
    func gain() -> MixGainDefinition {
      MixGainDefinition(
        parameter: ParameterDefinition(id: numbers.take(), rate: rate, timing: nil), defaultGain: 0)
    }
    let rendering = RenderingConfig(headphonesMode: .binaural, reserved: 0, extensionBytes: [])
    let annotations = title.map { [$0] } ?? []
    let mixed = elements.map { id in
      SubMix.Element(
        id: id, annotations: annotations.map { _ in "" }, rendering: rendering, gain: gain())
    }
    self.init(
      id: 1, languages: annotations.map { _ in language ?? "und" }, annotations: annotations,
      subMixes: [SubMix(elements: mixed, outputGain: gain(), loudness: loudness)],
      tags: MixPresentation.tags(language))
  }

  /// The tag that names the language, where it is a code of three letters (ISO 639-2).
  private static func tags(_ language: String?) -> [Tag]? {
    guard let language, language.count == 3, language.allSatisfy({ ("a"..."z").contains($0) })
    else {
      return nil
    }
    return [Tag(name: "content_language", value: language)]
  }
}
