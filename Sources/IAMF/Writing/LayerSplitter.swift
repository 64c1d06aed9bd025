// SPDX-License-Identifier: Apache-2.0
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
  /// Factor of `channel` before it is coded: the inverse of a reader's factor.
  func attenuation(_ channel: CodedChannel) -> Double {
    guard let bit = channel.outputGainBit, flags >> bit & 1 == 1 else { return 1 }
    return 1 / Double(amplitude)
  }
}

/// Finds the output gains that keep mixed channels within full scale.
///
/// Channels of the programme stay as they are; those that a layer mixes may be louder. If one of a layer's is
/// above the largest sample of 16 bits, all mixed channels of that layer are attenuated alike, by the fewest steps
/// of 1/256 dB that bring the loudest one to that sample or below.
package struct LayerPeaks {
  /// The largest sample of 16 bits.
  static let limit = Float(32_767) / 32_768

  private let element: WrittenElement
  private let splitter: LayerSplitter
  private let coded: AudioBuffer
  /// For each layer its coded planes that are mixes, and the flags of these.
  private let mixed: [(planes: [Int], flags: Int)]
  private var peaks: [Float]

  /// A meter for `element` with the factors that it has now.
  package init(_ element: WrittenElement) {
    self.element = element
    splitter = LayerSplitter(element, hasGains: false)
    coded = AudioBuffer(channels: splitter.codedCount)
    let source = element.layout.map { layout in
      layout.channels.compactMap { CodedChannel.version(of: $0, in: layout) }
    }
    var plane = 0
    mixed = element.codedChannels.map { channels in
      var layer = (planes: [Int](), flags: 0)
      for channel in channels {
        if let bit = channel.outputGainBit, source?.contains(channel) == false {
          layer.planes.append(plane)
          layer.flags |= 1 << bit
        }
        plane += 1
      }
      return layer
    }
    peaks = Array(repeating: 0, count: mixed.count)
  }

  /// Takes all samples of `source`, the programme's planes in the order of IAMF.
  package mutating func add(_ source: AudioBuffer) {
    guard peaks.count > 1 else { return }
    coded.removeAll()
    splitter.split(source, into: coded)
    for (layer, planes) in mixed.map(\.planes).enumerated() {
      for plane in planes {
        for sample in coded.channel(plane) { peaks[layer] = max(peaks[layer], sample.magnitude) }
      }
    }
  }

  /// For each layer the gain that it needs; `nil` where it needs none.
  package var outputGains: [ChannelLayer.OutputGain?] {
    zip(mixed, peaks).map { layer, peak in
      peak > LayerPeaks.limit
        ? ChannelLayer.OutputGain(flags: layer.flags, restoring: peak, to: LayerPeaks.limit) : nil
    }
  }
}

extension ChannelLayer.OutputGain {
  /// The smallest gain, in steps of Q7.8, whose inverse makes `limit` or less of `peak`.
  init(flags: Int, restoring peak: Float, to limit: Float) {
    let exact = 256 * Decibels.level(Double(peak) / Double(limit))
    var steps = min(exact.rounded(.down), Double(Int16.max))
    self.init(flags: flags, gain: steps / 256)
    while steps < Double(Int16.max), Float(Double(peak) / Double(amplitude)) > limit {
      steps += 1
      gain = steps / 256
    }
  }
}
