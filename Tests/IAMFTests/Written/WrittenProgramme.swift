// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport

@testable import IAMF

/// A programme of noise in a layout, and what an encoder in plain words makes of it.
struct WrittenProgramme {
  /// The numbers of the layers' layouts, the lowest first.
  let stack: [Int]
  let planes: AudioBuffer
  /// The downmixes of each sample.
  let mixes: [SlowDownmix]

  /// `count` samples whose channels are noise times `level`, which names channels; 1 for others.
  init(
    _ stack: [Int], _ count: Int, _ random: inout SeededNoise, mode: Int = 0, weight: Int = 0,
    level: [String: Double] = [:]
  ) {
    let top = stack[stack.count - 1]
    let labels = SlowDownmix.layouts[top].labels.split(separator: " ").map(String.init)
    let planes = AudioBuffer(channels: labels.count)
    planes.grow(by: count)
    for (index, label) in labels.enumerated() {
      for place in 0..<count {
        let value = Double.random(in: -1...1, using: &random) * (level[label] ?? 1)
        planes.channel(index)[place] = Float(value)
      }
    }
    self.init(stack, planes, mode: mode, weight: weight)
  }

  /// A programme whose planes are `planes`.
  init(_ stack: [Int], _ planes: AudioBuffer, mode: Int = 0, weight: Int = 0) {
    self.stack = stack
    self.planes = planes
    let top = stack[stack.count - 1]
    let labels = SlowDownmix.layouts[top].labels.split(separator: " ").map(String.init)
    mixes = (0..<planes.frames).map { place in
      var sample: [String: Double] = [:]
      for (index, label) in labels.enumerated() {
        sample[label] = Double(planes.channel(index)[place])
      }
      return SlowDownmix(sample, layout: top, mode: mode, weight: weight)
    }
  }

  /// The layouts of a stack.
  static func layouts(_ stack: [Int]) -> [LoudspeakerLayout] {
    stack.compactMap(LoudspeakerLayout.init)
  }

  /// The element of the stack.
  func element(mode: Int = 0, weight: Int = 0) throws -> WrittenElement {
    var element = try WrittenElement(.bed(WrittenProgramme.layouts(stack)))
    if element.demixing != nil {
      element.demixing = DemixingValues(mode: mode, weight: weight)
    }
    return element
  }

  /// The names of the coded planes, and the layer of each.
  var coded: [(name: String, layer: Int)] {
    stack.enumerated().flatMap { layer, layout in
      let coded = SlowDownmix.coded(layout, above: layer == 0 ? nil : stack[layer - 1])
      return (coded.pairs.flatMap { $0 } + coded.singles).map { ($0, layer) }
    }
  }

  /// The mean power of a version of a channel.
  func power(_ name: String) -> Double {
    mixes.reduce(0) { sum, mix in
      let value = mix.versions[name] ?? 0
      return sum + value * value
    } / Double(mixes.count)
  }
}

extension WrittenSequence {
  /// A sequence of elements in LPCM at 48 kHz.
  init(lpcm elements: [WrittenElement], bits: Int = 24, frame: Int = 16) throws {
    try self.init(
      elements: elements,
      codec: CodecConfig(lpcmBits: bits, sampleRate: 48_000, samplesPerFrame: frame), title: nil,
      language: nil, loudness: [])
  }

  /// The frames of LPCM of 24 bits that hold coded planes.
  static func frames(_ coded: AudioBuffer, _ substreams: [Int], _ range: Range<Int>) -> [[UInt8]] {
    var first = 0
    return substreams.map { channels in
      defer { first += channels }
      return range.flatMap { place in
        (first..<first + channels).flatMap { channel -> [UInt8] in
          let value = Int((Double(coded.channel(channel)[place]) * 0x1p23).rounded())
          return (0..<3).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
      }
    }
  }
}
