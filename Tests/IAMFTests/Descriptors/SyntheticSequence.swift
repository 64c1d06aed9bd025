// SPDX-License-Identifier: Apache-2.0
@testable import IAMF

/// Descriptors that tests make: one LPCM codec of 16 bits, little-endian, at 48 kHz.
struct SyntheticSequence {
  /// Samples of a frame.
  var frame = 16
  var profiles: [UInt8] = [2, 2]
  /// Elements, each as its payload.
  var elements: [[UInt8]] = []
  /// Mixes, each as its payload.
  var mixes: [[UInt8]] = []

  /// All descriptors.
  var descriptors: [UInt8] {
    let codec =
      [0] + Array("ipcm".utf8) + SyntheticUnit.leb128(frame) + [0, 0, 1, 16, 0, 0, 0xBB, 0x80]
    return SyntheticUnit.obu(31, Array("iamf".utf8) + profiles) + SyntheticUnit.obu(0, codec)
      + elements.flatMap { SyntheticUnit.obu(1, $0) } + mixes.flatMap { SyntheticUnit.obu(2, $0) }
  }

  /// A layer: layout, substreams, coupled ones.
  static func layer(
    _ layout: Int, _ count: Int, _ coupled: Int, gain: (flags: Int, steps: Int)? = nil,
    hasRecon: Bool = false
  ) -> [UInt8] {
    let flags = (gain == nil ? 0 : 8) | (hasRecon ? 4 : 0)
    var bytes = [UInt8(layout << 4 | flags), UInt8(count), UInt8(coupled)]
    if let gain { bytes += [UInt8(gain.flags << 2)] + signed(gain.steps) }
    return bytes
  }

  static func signed(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  /// An element of channels.
  static func element(
    _ id: Int, substreams: [Int], layers: [[UInt8]], parameters: [[UInt8]] = []
  ) -> [UInt8] {
    SyntheticUnit.leb128(id) + [0, 0] + SyntheticUnit.leb128(substreams.count)
      + substreams.flatMap { SyntheticUnit.leb128($0) }
      + SyntheticUnit.leb128(parameters.count) + parameters.flatMap { $0 }
      + [UInt8(layers.count << 5)] + layers.flatMap { $0 }
  }

  /// A demixing parameter whose blocks are as long as a frame.
  func demixing(_ id: Int, mode: Int, weight: Int) -> [UInt8] {
    let ticks = SyntheticUnit.leb128(frame)
    return [1] + SyntheticUnit.leb128(id) + SyntheticUnit.leb128(48_000) + [0] + ticks + ticks
      + [UInt8(mode << 5), UInt8(weight << 4)]
  }

  /// A gain whose blocks say their durations.
  static func gain(_ id: Int, steps: Int = 0, rate: Int = 48_000) -> [UInt8] {
    SyntheticUnit.leb128(id) + SyntheticUnit.leb128(rate) + [0x80] + signed(steps)
  }

  /// A mix of elements, which gain 90 plus their number moves; gain 89 moves the mix.
  static func mix(_ id: Int, _ elements: [Int], mode: Int = 1, tail: [UInt8] = []) -> [UInt8] {
    SyntheticUnit.leb128(id) + [0, 1] + SyntheticUnit.leb128(elements.count)
      + elements.flatMap { SyntheticUnit.leb128($0) + [UInt8(mode << 6), 0] + gain(90 + $0) }
      + gain(89) + [1, 0x80, 0] + signed(-20 * 256) + signed(-3 * 256) + tail
  }

  /// A frame of a substream, all of whose samples have the value `value`.
  func audio(_ substream: Int, channels: Int = 1, value: Int = 0) -> [UInt8] {
    let sample = Array(SyntheticSequence.signed(value).reversed())
    let bytes = (0..<frame * channels).flatMap { _ in sample }
    return substream < 18
      ? SyntheticUnit.obu(6 + substream, bytes)
      : SyntheticUnit.obu(5, SyntheticUnit.leb128(substream) + bytes)
  }

  /// The description of the descriptors.
  func description() throws(IAMFError) -> SequenceDescription {
    try SequenceDescription(configOBUs: descriptors)
  }

  /// Two elements of one channel in two mixes, the first of which has both.
  static let twoElements: SyntheticSequence = {
    var sequence = SyntheticSequence()
    sequence.elements = [
      element(1, substreams: [0], layers: [layer(0, 1, 0)]),
      element(2, substreams: [40], layers: [layer(0, 1, 0)]),
    ]
    sequence.mixes = [mix(7, [1, 2]), mix(8, [2])]
    return sequence
  }()
}
