import AudioCore

/// Makes an element's channels or sound field from its decoded substreams, unit by unit.
///
/// Once it has begun it asks for no memory, unless a unit is longer than all before. A new sequence needs a
/// new reconstructor.
package final class ElementReconstructor {
  /// What it makes.
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

  /// What it makes.
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
