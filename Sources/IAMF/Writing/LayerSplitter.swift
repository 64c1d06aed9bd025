import AudioCore
import Signal

/// Makes the planes that are coded of an element's programme: those of all substreams, in their order.
///
/// Each layer codes what the ones below it lack: channels of the programme as they are, or mixed ones, divided by
/// the layer's output gain. The channels of a sound field are coded as they are.
package final class LayerSplitter {
  /// Planes that are coded.
  package let codedCount: Int
  /// `nil` for a sound field.
  private let mixer: ChannelMixer?
  private let values: DemixingValues?

  /// A splitter for `element` with the factors and gains that it has now.
  package convenience init(_ element: WrittenElement) { self.init(element, hasGains: true) }

  /// A splitter of `element`, whose output gains may be left out.
  init(_ element: WrittenElement, hasGains: Bool) {
    values = element.values
    guard let layout = element.layout else {
      codedCount = element.channelCount
      mixer = nil
      return
    }
    let weights = DownmixWeights(layout)
    var rows: [(terms: [DownmixWeights.Term], scale: Double)] = []
    for (layer, channels) in element.codedChannels.enumerated() {
      let gain = hasGains ? element.outputGain(layer) : nil
      for channel in channels {
        rows.append((weights.terms(of: channel) ?? [], gain?.attenuation(channel) ?? 1))
      }
    }
    codedCount = rows.count
    mixer = ChannelMixer(rows)
  }

  /// Appends the coded planes of all samples of `source` to `coded`.
  /// - Parameters:
  ///   - source: the programme's planes: of a bed in the order of IAMF, of a sound field in ACN order.
  ///   - coded: ``codedCount`` planes.
  package func split(_ source: AudioBuffer, into coded: AudioBuffer) {
    guard let mixer, let values else {
      coded.append(source)
      return
    }
    mixer.mix(source, 0..<source.frames, values, into: coded)
  }
}

extension WrittenElement {
  /// The output gain of a layer, which an element of one layer never has.
  func outputGain(_ layer: Int) -> ChannelLayer.OutputGain? {
    layers.count > 1 && layer < outputGains.count ? outputGains[layer] : nil
  }
}

extension ChannelLayer.OutputGain {
  /// What `channel` is multiplied by before it is coded: the inverse of what a reader multiplies it by.
  func attenuation(_ channel: CodedChannel) -> Double {
    guard let bit = channel.outputGainBit, flags >> bit & 1 == 1 else { return 1 }
    return 1 / Double(amplitude)
  }
}
