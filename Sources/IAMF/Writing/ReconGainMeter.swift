// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Finds the recon gains of frames: what repairs the levels of demixed channels, which the coding noise of their
/// sources has changed (annex A2.3).
///
/// For a demixed channel of a layer, O is the power of the channel in the layer's downmix, M that of the channel
/// below which it was mixed into, and D that of what a reader makes of the decoded channels without gains. The
/// gain is 0 where O is below −80 dB of full scale, √(O/D) where O is more than 6 dB below M, and else 1. Gains are
/// sent in 1/255, rounded down. Smoothing of gains over frames by readers isn't undone.
package final class ReconGainMeter {
  /// O in relation to full scale below which a channel counts as silent, −80 dB.
  private static let silence = 1e-8
  /// O in relation to M below which the gain isn't 1, −6 dB.
  private static let share = pow(10, -0.6)

  /// The state of measuring a layer with demixed channels.
  fileprivate struct Layer {
    let reader: ElementReconstructor
    let result: AudioBuffer
    /// The demixed channels: their places in the layout and their bits.
    let channels: [(output: Int, bit: Int)]
    /// Makes these channels of the programme, and behind them those that they were mixed into.
    let mixer: ChannelMixer
    let mixed: AudioBuffer
  }

  /// For each layer; `nil` for those without demixed channels.
  private let layers: [Layer?]
  private let values: DemixingValues

  /// A meter for `element` with the factors and gains that it has now; `nil` where readers need no gains:
  /// without loss, and where nothing is demixed.
  /// - Throws: ``IAMFError`` where a reader couldn't play the element.
  package init?(_ element: WrittenElement, _ codec: CodecConfig) throws(IAMFError) {
    guard codec.isLossy, let layout = element.layout, let values = element.values else {
      return nil
    }
    let described = element.descriptor(1, codec, firstSubstream: 0, firstParameter: 1)
    let playable = try PlayableElement(described, codec)
    if let limit = playable.layerLimit { throw limit }
    let demixed = element.demixedChannels
    var layers: [Layer?] = []
    for (index, channels) in demixed.enumerated() {
      guard !channels.isEmpty else {
        layers.append(nil)
        continue
      }
      layers.append(try Layer(element, playable, index, channels, from: layout))
    }
    guard layers.contains(where: { $0 != nil }) else { return nil }
    self.layers = layers
    self.values = values
  }

  /// The gains of a frame for each layer; `nil` for layers without demixed channels.
  /// - Parameters:
  ///   - original: the frame's samples of the programme, in the order of IAMF.
  ///   - decoded: the coded planes as a decoder gives them back for the same samples.
  package func gains(
    original: AudioBuffer, decoded: AudioBuffer
  ) -> [ParameterBlock.LayerGains?] {
    let count = min(original.frames, decoded.frames)
    return layers.map { layer in layer.map { gains($0, original, decoded, count) } }
  }

  private func gains(
    _ layer: Layer, _ original: AudioBuffer, _ decoded: AudioBuffer, _ count: Int
  ) -> ParameterBlock.LayerGains {
    layer.result.removeAll()
    layer.reader.reconstruct(decoded, TemporalUnit(), into: layer.result)
    layer.mixed.removeAll()
    layer.mixer.mix(original, 0..<count, values, into: layer.mixed)
    var bits: [(bit: Int, gain: UInt8)] = []
    for (index, channel) in layer.channels.enumerated() {
      let gain = ReconGainMeter.gain(
        original: power(layer.mixed, index, count),
        mixed: power(layer.mixed, layer.channels.count + index, count),
        demixed: power(layer.result, channel.output, count))
      bits.append((channel.bit, UInt8(255 * gain)))
    }
    bits.sort { $0.bit < $1.bit }
    return ParameterBlock.LayerGains(
      flags: bits.reduce(0) { $0 | 1 << $1.bit }, gains: bits.map(\.gain))
  }

  /// The mean power of a plane.
  private func power(_ planes: AudioBuffer, _ plane: Int, _ count: Int) -> Double {
    var sum = 0.0
    for sample in planes.channel(plane)[..<count] { sum += Double(sample) * Double(sample) }
    return count > 0 ? sum / Double(count) : 0
  }

  /// The gain for the powers O, M and D, 0…1.
  static func gain(original: Double, mixed: Double, demixed: Double) -> Double {
    guard original >= silence else { return 0 }
    // Gains can't raise a channel.
    guard original < share * mixed, demixed > original else { return 1 }
    return (original / demixed).squareRoot()
  }
}

extension ReconGainMeter.Layer {
  /// The layer `index` of an element, whose demixed channels are `channels`.
  fileprivate init(
    _ element: WrittenElement, _ playable: PlayableElement, _ index: Int,
    _ channels: [CodedChannel], from source: LoudspeakerLayout
  ) throws(IAMFError) {
    let layout = element.layers[index]
    let versions = layout.channels.map { CodedChannel.version(of: $0, in: layout) }
    let below = element.layers[..<index].map { layer in
      layer.channels.compactMap { CodedChannel.version(of: $0, in: layer) }
    }
    self.channels = channels.compactMap { channel in
      guard let output = versions.firstIndex(of: channel),
        let bit = ReconGainBits.bit(of: layout.channels[output])
      else { return nil }
      return (output, bit)
    }
    let mixed = channels.map { $0.mixed(into: below.flatMap { $0 }) ?? $0 }
    mixer = try ChannelMixer(channels + mixed, from: source)
    self.mixed = AudioBuffer(channels: mixer.count)
    reader = ElementReconstructor(playable, layer: index)
    result = AudioBuffer(channels: reader.channelCount)
  }
}

extension CodedChannel {
  /// The nearest channel that this one is mixed into on the way down and that is one of `channels`.
  fileprivate func mixed(into channels: [CodedChannel]) -> CodedChannel? {
    guard let next else { return nil }
    return channels.contains(next) ? next : next.mixed(into: channels)
  }

  /// The channel of the next smaller layout that this one is mixed into.
  private var next: CodedChannel? {
    let isRight = self.isRight
    switch self {
    case .l2, .r2: return .mono
    case .l3, .r3: return CodedChannel.l2.side(isRight)
    case .l5, .r5, .ls5, .rs5: return CodedChannel.l3.side(isRight)
    case .lss, .rss, .lrs, .rrs: return CodedChannel.ls5.side(isRight)
    case .ltf4, .rtf4, .ltb, .rtb: return CodedChannel.ltf2.side(isRight)
    case .ltf2, .rtf2: return CodedChannel.ltf3.side(isRight)
    case .mono, .c, .lfe, .ltf3, .rtf3: return nil
    }
  }
}
