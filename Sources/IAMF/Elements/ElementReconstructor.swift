// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Makes an element's channels or sound field from its decoded substreams, unit by unit.
///
/// Once it has begun it asks for no memory, unless a unit is longer than all before. A new sequence needs a
/// new reconstructor.
package final class ElementReconstructor {
  /// The planes of the output.
  package enum Output: Equatable, Sendable {
    /// Channels in this order.
    case channels([ElementChannel])
    /// A sound field of this many channels in ACN order and SN3D.
    case scene(channels: Int)
  }

  private enum Stage {
    case channels(ChannelReconstructor)
    case downmix(FactorDownmixer)
    case scene(SceneReconstructor)
  }

  /// Planes of the output.
  package let output: Output
  /// Decoded channels that it needs, the first ones of all substreams.
  package let decodedCount: Int
  private let stage: Stage

  /// A reconstructor of an element.
  /// - Parameter layer: the layer whose layout is made, one of ``PlayableElement/layerCount``; `nil` makes the
  ///   highest one. Higher layers needn't be decoded then.
  package convenience init(_ element: PlayableElement, layer: Int? = nil) {
    self.init(element, form: layer.map { .layer($0) })
  }

  /// A reconstructor of an element.
  /// - Parameter form: what is made of a bed; `nil`, and a downmix that can't be made, stand for the highest layer.
  package init(_ element: PlayableElement, form: ElementForm?) {
    switch element.content {
    case .channels(let plans):
      var layer = plans.count - 1
      switch form {
      case .layer(let wanted): layer = min(max(wanted, 0), layer)
      case .downmix(let layout):
        if let mixer = FactorDownmixer(element, plans[layer], to: layout) {
          output = .channels(mixer.channels)
          decodedCount = plans[layer].decodedCount
          stage = .downmix(mixer)
          return
        }
      case nil: break
      }
      output = .channels(plans[layer].channels)
      decodedCount = plans[layer].decodedCount
      stage = .channels(ChannelReconstructor(element, plans[layer], layer: layer))
    case .scene(let config):
      output = .scene(channels: config.channelCount)
      decodedCount = element.decodedCount
      stage = .scene(SceneReconstructor(config))
    }
  }

  /// Channels that it makes.
  package var channelCount: Int {
    switch output {
    case .channels(let channels): return channels.count
    case .scene(let channels): return channels
    }
  }

  /// Appends the channels of a unit to `result`, which has ``channelCount`` planes.
  /// - Parameter decoded: the decoded channels of the element's substreams in their order, left before right,
  ///   ``decodedCount`` planes or more; as many samples as the unit has.
  package func reconstruct(
    _ decoded: AudioBuffer, _ unit: TemporalUnit, into result: AudioBuffer
  ) {
    guard decoded.frames > 0 else { return }
    switch stage {
    case .channels(let reconstructor): reconstructor.reconstruct(decoded, unit, into: result)
    case .downmix(let mixer): mixer.reconstruct(decoded, unit, into: result)
    case .scene(let reconstructor): reconstructor.reconstruct(decoded, into: result)
    }
  }
}

extension PlayableElement {
  /// The channels of each layer that can be made, the lowest first; none of a sound field.
  package var layerChannels: [[ElementChannel]] {
    guard case .channels(let plans) = content else { return [] }
    return plans.map(\.channels)
  }

  /// Layers that can be made; 0 of a sound field.
  package var layerCount: Int { layerChannels.count }
}

/// The form in which an element of channels in layers is played.
package enum ElementForm: Hashable, Sendable {
  /// The channels of a layer, counted from 0, as they are.
  case layer(Int)
  /// The highest layer, mixed down to this layout with the factors of the element's demixing parameter.
  case downmix(LoudspeakerLayout)
}

extension PlayableElement {
  /// The form that the file has for loudspeakers of the layout `wanted` (3.6.2 and 7.2): a layer with just these, else
  /// its own downmix; `nil` where it has none, and the highest layer is rendered.
  ///
  /// If the layout has no tops and the element does, its factors needn't be followed.
  /// - Parameter followsFactors: whether a downmix may be made.
  package func form(for wanted: LoudspeakerLayout, followsFactors: Bool) -> ElementForm? {
    guard let highest = layerLayouts.last else { return nil }
    if let layer = layerLayouts.firstIndex(of: wanted) { return .layer(layer) }
    guard followsFactors, element.demixing != nil, wanted != highest,
      LayerDownmixer.reaches(wanted, from: highest),
      wanted.counts.top > 0 || highest.counts.top == 0
    else { return nil }
    return .downmix(wanted)
  }

  /// The layouts of the layers that can be made, the lowest first; none of a sound field and of expanded layouts.
  package var layerLayouts: [LoudspeakerLayout] {
    guard case .channels(let layers) = element.content else { return [] }
    let layouts = layers.prefix(layerCount).compactMap(\.layout)
    return layouts.contains(.expanded) ? [] : layouts
  }
}

/// Makes the channels of a sound field from decoded channels.
struct SceneReconstructor {
  private let config: AmbisonicsConfig

  /// A reconstructor of a field.
  init(_ config: AmbisonicsConfig) { self.config = config }

  /// Appends the channels of a unit, in ACN order and SN3D, to `output`.
  func reconstruct(_ decoded: AudioBuffer, into output: AudioBuffer) {
    let start = output.grow(by: decoded.frames)
    for channel in 0..<config.channelCount {
      let line = UnsafeMutableBufferPointer(rebasing: output.channel(channel)[start...])
      switch config.mapping {
      case .mono(let indices):
        if indices[channel] == AmbisonicsConfig.silent {
          line.update(repeating: 0)
        } else {
          _ = line.update(fromContentsOf: decoded.channel(indices[channel]))
        }
      case .projection(_, let matrix):
        line.update(repeating: 0)
        // The matrix is stored by columns: all weights of one decoded channel stand together.
        for input in 0..<matrix.count / config.channelCount {
          let weight = Float(matrix[input * config.channelCount + channel]) / 32_768
          let source = decoded.channel(input)
          for index in line.indices { line[index] += weight * source[index] }
        }
      }
    }
  }
}

/// Mixes an element's highest layer down to a layout, with the factors that each unit states.
final class FactorDownmixer {
  /// The channels, in the order of IAMF.
  let channels: [ElementChannel]
  private let highest: ChannelReconstructor
  private let made: AudioBuffer
  private let mixer: LayerDownmixer
  private let definition: DemixingDefinition?
  private var factors: DemixingTrack

  /// A downmixer of `element`, whose highest layer `plan` makes; `nil` where the layout can't be reached.
  init?(_ element: PlayableElement, _ plan: ChannelPlan, to layout: LoudspeakerLayout) {
    guard let source = element.layerLayouts.last,
      let mixer = try? LayerDownmixer(from: source, to: layout)
    else { return nil }
    self.mixer = mixer
    channels = layout.channels
    highest = ChannelReconstructor(element, plan, layer: element.layerCount - 1)
    made = AudioBuffer(
      channels: plan.channels.count, capacity: element.codec.samplesPerFrame)
    definition = element.element.demixing
    factors = DemixingTrack(definition)
  }

  /// Appends the channels of a unit to `output`.
  /// - Parameter decoded: planes of all decoded channels, as many samples as the unit has.
  func reconstruct(_ decoded: AudioBuffer, _ unit: TemporalUnit, into output: AudioBuffer) {
    made.removeAll()
    highest.reconstruct(decoded, unit, into: made)
    let mode = definition.flatMap { unit.demixingMode($0.parameter.id) }
    guard let values = factors.next(mode) else { return output.appendSilence(made.frames) }
    mixer.mix(made, range: 0..<made.frames, values, into: output)
  }
}

/// Reads the frames of an element whose codec is LPCM.
package struct PlainSamples {
  private let element: PlayableElement
  private let config: LPCMConfig

  /// A reader of `element`; `nil` where its codec is another.
  package init?(_ element: PlayableElement) {
    guard case .lpcm(let config) = element.codec.decoder else { return nil }
    self.element = element
    self.config = config
  }

  /// Appends `count` samples of each decoded channel to `result`. Samples that a frame lacks are silent; samples
  /// beyond `count` are left out.
  package func read(_ unit: TemporalUnit, count: Int, into result: AudioBuffer) {
    let start = result.grow(by: count)
    var plane = 0
    unit.bytes.withUnsafeBufferPointer { bytes in
      for (index, id) in element.element.substreamIDs.enumerated() {
        let channels = element.substreamChannels[index]
        let range = unit.frame(of: id)?.bytes ?? 0..<0
        for channel in 0..<channels {
          let line = UnsafeMutableBufferPointer(rebasing: result.channel(plane)[start...])
          let part = UnsafeBufferPointer(rebasing: bytes[range])
          write(part, channel, of: channels, to: line)
          plane += 1
        }
      }
    }
  }

  /// Writes one of the interleaved channels of a frame.
  private func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ channel: Int, of channels: Int,
    to line: UnsafeMutableBufferPointer<Float>
  ) {
    let size = config.sampleBytes
    let whole = min(line.count, bytes.count / (size * channels))
    // Most significant byte first, or last.
    let (first, step) = config.isLittleEndian ? (size - 1, -1) : (0, 1)
    for index in 0..<whole {
      let base = (index * channels + channel) * size + first
      var word: UInt32 = 0
      for byte in 0..<size { word = word << 8 | UInt32(bytes[base + byte * step]) }
      let value = Int32(bitPattern: word << UInt32(32 - 8 * size))
      line[index] = Float(value) * 0x1p-31
    }
    for index in whole..<line.count { line[index] = 0 }
  }
}
