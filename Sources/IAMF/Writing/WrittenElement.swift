// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// An element that is written: a bed in one or more layers, or a sound field.
package struct WrittenElement: Equatable, Sendable {
  /// The content of an element.
  package enum Content: Equatable, Sendable {
    /// Channels in layers, the lowest first; the last one is the whole programme.
    case bed([LoudspeakerLayout])
    /// A sound field in ACN order and SN3D; each channel is a substream of its own.
    case scene(channels: Int)
  }

  /// Orders of sound fields whose channels a mix can hold.
  private static let sceneChannels = (0...4).map { ($0 + 1) * ($0 + 1) }

  /// Content of the element.
  package let content: Content
  /// The factors of the downmix to lower layers, for the whole programme.
  ///
  /// `nil` where the standard doesn't allow them (3.6): of a sound field, of one layer, and of layers up to
  /// 3.1.2, whose downmix has no factors. Else mode 0 and weight 0 until they are chosen.
  package var demixing: DemixingValues?
  /// For each layer the gain that raises its attenuated channels again; `nil` where none is attenuated. None
  /// for a sound field.
  package var outputGains: [ChannelLayer.OutputGain?]

  /// An element without output gains.
  /// - Throws: ``IAMFError`` for no layer, more than six, layers that don't grow, several of which one has no
  ///   loudspeakers, and for sound fields that aren't whole or are above order 4.
  package init(_ content: Content) throws(IAMFError) {
    self.content = content
    switch content {
    case .bed(let layers):
      try WrittenElement.check(layers)
      outputGains = Array(repeating: nil, count: layers.count)
      if layers.count > 1, layers[layers.count - 1].counts.surround >= 5 {
        demixing = DemixingValues(mode: 0, weight: 0)
      }
    case .scene(let channels):
      guard WrittenElement.sceneChannels.contains(channels) else {
        throw .unsupported("a sound field of \(channels) channels, which isn't of order 0 to 4")
      }
      outputGains = []
    }
  }

  private static func check(_ layers: [LoudspeakerLayout]) throws(IAMFError) {
    guard (1...ChannelLayer.mostLayers).contains(layers.count) else {
      throw .unsupported(
        "a bed of \(layers.count) layers, which aren't 1 to \(ChannelLayer.mostLayers)")
    }
    guard !layers.contains(.expanded) else {
      throw .unsupported("a bed in a part of a larger layout")
    }
    guard layers.count == 1 || layers.allSatisfy(\.isScalable) else {
      throw .unsupported("signals for a listener's ears as one of several layers")
    }
    for (below, layer) in zip(layers, layers.dropFirst()) where !layer.grows(from: below) {
      throw .unsupported("a layer that doesn't add to the one below it")
    }
  }

  /// The layers of a bed; none of a sound field.
  package var layers: [LoudspeakerLayout] {
    if case .bed(let layers) = content { return layers }
    return []
  }

  /// The layout of a bed's programme; `nil` of a sound field.
  package var layout: LoudspeakerLayout? { layers.last }

  /// The planes of a bed's programme, in the order of IAMF; none of a sound field.
  package var channels: [ElementChannel] { layout?.channels ?? [] }

  /// Planes of the programme.
  package var channelCount: Int {
    switch content {
    case .bed: return channels.count
    case .scene(let channels): return channels
    }
  }

  /// Channels of each coded substream, 1 or 2, in their order.
  package var substreamChannels: [Int] {
    switch content {
    case .bed: return substreams.flatMap { $0.map(\.count) }
    case .scene(let channels): return Array(repeating: 1, count: channels)
    }
  }

  /// For each layer of a bed the channels of its substreams.
  var substreams: [[[CodedChannel]]] {
    let below = [nil] + layers.map(Optional.some)
    return zip(layers, below).map { CodedChannel.substreams($0, above: $1) }
  }

  /// The factors of the downmix; where there are none, it doesn't depend on them.
  var values: DemixingValues? { demixing ?? DemixingValues(mode: 0, weight: 0) }

  /// For each layer of a bed the channels that it codes, in the order of the coded planes.
  var codedChannels: [[CodedChannel]] { substreams.map { $0.flatMap { $0 } } }
}

extension WrittenElement {
  /// The element's descriptor.
  /// - Parameters:
  ///   - id: its number.
  ///   - firstSubstream: the number of its first substream.
  ///   - firstParameter: the number of its first parameter; it has ``parameterCount(_:)`` of them.
  func descriptor(
    _ id: Int, _ codec: CodecConfig, firstSubstream: Int, firstParameter: Int
  ) -> AudioElement {
    AudioElement(
      id: id, type: layers.isEmpty ? 1 : 0, codecConfigID: codec.id,
      substreamIDs: substreamChannels.indices.map { firstSubstream + $0 },
      parameters: parameters(codec, first: firstParameter), content: descriptorContent(codec))
  }

  private func descriptorContent(_ codec: CodecConfig) -> AudioElement.Content {
    if case .scene(let channels) = content {
      let config = AmbisonicsConfig(
        channelCount: channels, substreamCount: channels, mapping: .mono(Array(0..<channels)))
      return .scene(config)
    }
    return .channels(channelLayers(codec))
  }

  /// The layers of a bed as they are described.
  func channelLayers(_ codec: CodecConfig) -> [ChannelLayer] {
    let demixed = demixedChannels
    return zip(layers, substreams).enumerated().map { index, layer in
      ChannelLayer(
        layoutNumber: layer.0.rawValue,
        outputGain: layers.count > 1 && index < outputGains.count ? outputGains[index] : nil,
        hasReconGain: codec.isLossy && !demixed[index].isEmpty,
        substreamCount: layer.1.count, coupledCount: layer.1.count { $0.count == 2 })
    }
  }

  /// For each layer of a bed the channels of its layout that demixing makes, because no layer up to it codes
  /// them, in the order of the layout.
  var demixedChannels: [[CodedChannel]] {
    let coded = codedChannels
    return layers.enumerated().map { index, layout in
      let known = coded[...index].flatMap { $0 }
      return layout.channels.compactMap { CodedChannel.version(of: $0, in: layout) }
        .filter { !known.contains($0) }
    }
  }

  /// The definitions that the standard demands (3.6): recon gain of several layers of a lossy codec, and the
  /// demixing of several layers above 3.1.2. They may stand in no other element.
  private func parameters(_ codec: CodecConfig, first: Int) -> [AudioElement.Parameter] {
    guard layers.count > 1 else { return [] }
    let frame = codec.samplesPerFrame
    var definition = ParameterDefinition(
      id: first, rate: codec.sampleRate ?? 0,
      timing: BlockTiming(duration: frame, constant: frame, listed: []))
    var all: [AudioElement.Parameter] = []
    if let demixing {
      all.append(
        .demixing(
          DemixingDefinition(
            parameter: definition, defaultMode: demixing.mode,
            defaultWeight: demixing.weightIndex)))
      definition.id += 1
    }
    if codec.isLossy { all.append(.reconGain(definition)) }
    return all
  }
}
