// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import TestSupport
import Testing

@testable import Signal

/// Samples in memory, against a reference that takes them apart byte by byte.
@Suite struct PackedSamplesTests {
  private static let counts = [0, 1, 7, 8, 9, 16, 31, 100]
  private static let stored: [SampleFormat] = [.integer16, .integer24, .integer32, .float32]

  /// Samples that 16-bit integers hold exactly, so that every format does.
  private func planes(_ channels: Int, _ count: Int) -> [[Float]] {
    var noise = SeededNoise(seed: 5)
    let step: Float = 1 / 32_768
    let edges: [Float] = [-1, 1 - step, 0]
    return (0..<channels).map { _ in
      let random = noise.samples(count).map { (value: Float) -> Float in
        max(-1, min(1 - step, (value / step).rounded() * step))
      }
      return Array((edges + random.dropFirst(edges.count)).prefix(count))
    }
  }

  /// The bytes of one sample, least significant first.
  private func bytes(_ value: Float, _ format: SampleFormat) -> [UInt8] {
    if case .float32 = format {
      return (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
    let whole = Int64(Double(value) * Double(Int64(1) << (8 * Int64(format.bytes) - 1)))
    return (0..<format.bytes).map { UInt8(truncatingIfNeeded: whole >> (8 * Int64($0))) }
  }

  @Test(
    "samples of 1…6 channels are packed to the reference's bytes and unpacked again",
    arguments: stored, [1, 2, 3, 6])
  func samplesArePackedAndUnpacked(
    format: SampleFormat, channels: Int
  ) {
    for count in PackedSamplesTests.counts {
      let planes = planes(channels, count + 3)
      let source = Signals.buffer(planes)
      let expected = (3..<count + 3).flatMap { frame in
        planes.flatMap { bytes($0[frame], format) }
      }
      var packed = [UInt8](repeating: 0xAA, count: expected.count + 1)
      packed.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        source.pack(3..<count + 3, as: format, into: base)
      }
      #expect(packed == expected + [0xAA])
      let target = AudioBuffer(channels: channels)
      target.grow(by: count + 5)
      packed.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        target.unpack(base, count: count, as: format, at: 5)
      }
      for channel in 0..<channels {
        #expect(Array(target.channel(channel)[5...]) == Array(planes[channel][3...]))
      }
    }
  }

  @Test("one channel of two is packed and unpacked into another", arguments: stored)
  func oneChannelIsPackedAndUnpacked(format: SampleFormat) {
    let planes = planes(2, 37)
    var packed = [UInt8](repeating: 0, count: 37 * format.bytes)
    let target = AudioBuffer(channels: 2)
    target.grow(by: 37)
    packed.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      Signals.buffer(planes).pack(0..<37, as: format, channel: 1, into: base)
      target.unpack(base, count: 37, as: format, at: 0, channel: 0)
    }
    #expect(Array(target.channel(0)) == planes[1])
  }

  /// Formats that decoders give and no file of ours holds.
  @Test("8-bit, 64-bit and double samples are unpacked, and 32-bit ones rounded")
  func otherFormatsAreUnpacked() {
    func first<Value>(_ values: [Value], _ format: SampleFormat) -> [Float] {
      let target = AudioBuffer(channels: 1)
      target.grow(by: values.count)
      values.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        target.unpack(base, count: values.count, as: format, at: 0)
      }
      return Array(target.channel(0))
    }
    #expect(first([0, 128, 255] as [UInt8], .unsigned8) == [-1, 0, 127 / 128])
    #expect(first([Int64.min, 0, 1 << 62], .integer64) == [-1, 0, 0.5])
    #expect(
      first((0..<19).map { Double($0) / 16 }, .float64) == (0..<19).map { Float($0) / 16 })
    // Values that Float can't hold are rounded to the nearest.
    #expect(first([.max, 16_777_217] as [Int32], .integer32) == [1, 0x1p-7])
  }

  @Test("the greatest magnitude is found at any place, also infinity and NaN")
  func theGreatestMagnitudeIsFound() {
    for count in [1, 31, 32, 33, 100] {
      for place in [0, count / 2, count - 1] {
        var samples = [Float](repeating: 0.25, count: count)
        samples[place] = -0.75
        #expect(SampleScan.greatestMagnitude(samples, count: count) == 0.75)
        samples[place] = .infinity
        #expect(SampleScan.greatestMagnitude(samples, count: count) == .infinity)
        samples[place] = -.nan
        #expect(SampleScan.greatestMagnitude(samples, count: count).isNaN)
      }
    }
  }

  /// The loops for newer processors give the bits of those for the oldest.
  @Test("rounding, packing and unpacking give the baseline's bits")
  func everyProcessorGivesTheSameBits() {
    var noise = SeededNoise(seed: 9)
    let samples = noise.samples(1003).map { $0 * 1.3 } + [.nan, .infinity, -.infinity, -0.0, 2e9]
    let count = samples.count
    for bits in [16, 24] {
      var (one, other) = (samples, samples)
      #expect(
        cs_round(samples, &one, count, Int32(bits))
          == cs_round_baseline(samples, &other, count, Int32(bits)))
      #expect(one.map(\.bitPattern) == other.map(\.bitPattern))
      for format in [CS_S16, CS_S24, CS_S32, CS_F32] {
        var (packed, plain) = ([UInt8](repeating: 0, count: 8 * count), [UInt8]())
        plain = packed
        one.withUnsafeBufferPointer { plane in
          var planes = [plane.baseAddress, plane.baseAddress]
          cs_pack(&planes, 2, 0, count, format, &packed)
          cs_pack_baseline(&planes, 2, 0, count, format, &plain)
        }
        #expect(packed == plain)
        var back = [[Float]](repeating: [Float](repeating: 0, count: count), count: 2)
        var slow = back
        for (index, run) in [cs_unpack, cs_unpack_baseline].enumerated() {
          var (left, right) = (back[0], back[1])
          left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
              var planes = [left.baseAddress, right.baseAddress]
              run(packed, 2, count, format, &planes)
            }
          }
          if index == 0 { back = [left, right] } else { slow = [left, right] }
        }
        #expect(back.map { $0.map(\.bitPattern) } == slow.map { $0.map(\.bitPattern) })
      }
    }
  }
}
