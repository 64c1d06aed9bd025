// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation

/// Comparing and changing signals sample by sample. This target is optimised; test targets mostly aren't, and such loops
/// would be the better part of their time.
package enum Signals {
  /// Signal to noise ratio in dB of `found` against `wanted`.
  package static func ratio(_ found: [Float], _ wanted: [Float]) -> Double {
    var signal = 0.0
    var noise = 0.0
    for (left, right) in zip(found, wanted) {
      signal += Double(right) * Double(right)
      noise += (Double(left) - Double(right)) * (Double(left) - Double(right))
    }
    if noise == 0 { return .infinity }
    return signal == 0 ? -.infinity : 10 * log10(signal / noise)
  }

  /// Level in dB of the difference of two programmes over that of `wanted`; infinite when their numbers of samples differ.
  package static func difference(_ found: [[Float]], _ wanted: [[Float]]) -> Double {
    guard found.map(\.count) == wanted.map(\.count) else { return .infinity }
    var (error, power) = (0.0, 0.0)
    for (own, right) in zip(found, wanted) {
      for index in own.indices {
        let difference = Double(own[index]) - Double(right[index])
        error += difference * difference
        power += Double(right[index]) * Double(right[index])
      }
    }
    return 10 * log10((error + 1e-30) / (power + 1e-30))
  }

  /// The greatest magnitude of the difference of two signals; infinite when there is none: of no samples, of other numbers
  /// of samples, and of samples that aren't numbers.
  package static func greatestDifference(_ found: [Float], _ wanted: [Float]) -> Double {
    guard found.count == wanted.count, !found.isEmpty else { return .infinity }
    var most = 0.0
    for index in found.indices {
      let difference = (Double(found[index]) - Double(wanted[index])).magnitude
      guard difference.isFinite else { return .infinity }
      most = max(most, difference)
    }
    return most
  }

  /// Sum of squares of samples `range` of all planes.
  package static func energy(_ planes: [[Float]], _ range: Range<Int>) -> Double {
    var sum = 0.0
    for plane in planes {
      for index in range { sum += Double(plane[index]) * Double(plane[index]) }
    }
    return sum
  }

  /// `planes` held within ±`peak`.
  package static func clipped(_ planes: [[Float]], to peak: Float) -> [[Float]] {
    planes.map { plane in plane.map { max(-peak, min(peak, $0)) } }
  }

  /// `planes` whose samples `range` are `gain` times as large.
  package static func scaled(_ planes: [[Float]], by gain: Float, in range: Range<Int>) -> [[Float]]
  {
    var planes = planes
    for channel in planes.indices {
      for index in range { planes[channel][index] *= gain }
    }
    return planes
  }

  /// `count` samples of a sine.
  /// - Parameters:
  ///   - step: angle from sample to sample, rad.
  ///   - phase: angle of the first sample, rad.
  package static func sine(step: Double, count: Int, peak: Double, phase: Double = 0) -> [Float] {
    (0..<count).map { Float(peak * sin(Double($0) * step + phase)) }
  }

  /// `samples` rounded to 16 bits with triangular dither.
  package static func dithered(_ samples: [Float], seed: UInt64) -> [Float] {
    var random = SeededNoise(seed: seed)
    return samples.map { sample in
      let dither =
        Double.random(in: -0.5...0.5, using: &random)
        + Double.random(in: -0.5...0.5, using: &random)
      return Float((Double(sample) * 32_768 + dither).rounded() / 32_768)
    }
  }

  /// The samples of all channels in turn.
  package static func interleaved(_ planes: [[Float]]) -> [Float] {
    var samples = [Float](repeating: 0, count: planes.count * (planes.first?.count ?? 0))
    for (channel, plane) in planes.enumerated() {
      for index in plane.indices { samples[index * planes.count + channel] = plane[index] }
    }
    return samples
  }

  /// A buffer with the samples `range` of `planes`; all of them when it is `nil`.
  package static func buffer(_ planes: [[Float]], _ range: Range<Int>? = nil) -> AudioBuffer {
    let range = range ?? 0..<(planes.first?.count ?? 0)
    let buffer = AudioBuffer(channels: planes.count, capacity: range.count)
    buffer.grow(by: range.count)
    for (channel, plane) in planes.enumerated() {
      _ = buffer.channel(channel).update(fromContentsOf: plane[range])
    }
    return buffer
  }

  /// Every `count`-th sample from `first` on: a channel of interleaved samples.
  package static func channel(_ first: Int, of count: Int, in samples: [Float]) -> [Float] {
    stride(from: first, to: samples.count, by: count).map { samples[$0] }
  }

  /// Adds `samples` times `gain` to `sums`.
  package static func add(
    _ samples: UnsafeMutableBufferPointer<Float>, by gain: Double, to sums: inout [Double]
  ) {
    for index in samples.indices { sums[index] += gain * Double(samples[index]) }
  }

  /// The nearest floats.
  package static func floats(_ samples: [Double]) -> [Float] { samples.map(Float.init) }

  /// Little-endian Float32 values.
  package static func floats(_ data: Data) -> [Float] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
  }
}
