// SPDX-License-Identifier: Apache-2.0
import Platform
import TestSupport
import Testing

@testable import IAMF

/// Recon gains against their formula, sample by sample.
@Suite struct ReconGainTests {
  private func codec(_ name: String, _ samples: Int, _ decoder: String) throws -> CodecConfig {
    let front = [0] + Array(name.utf8) + SyntheticUnit.leb128(samples) + [0, 0]
    return try (front + SyntheticUnit.bytes(hex: decoder)).reading { bits throws(IAMFError) in
      try CodecConfig(&bits)
    }
  }

  /// The factor of each sample of frames whose gains are `gains`; without a gain before the first one the
  /// samples stay as they are.
  private func factors(_ gains: [Double?], _ frame: Int, _ overlap: Int) -> [Double] {
    func window(_ index: Int) -> Double {
      0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(2 * overlap - 1))
    }
    var average = 1.0
    var hasBegun = false
    return gains.flatMap { gain -> [Double] in
      hasBegun = hasBegun || gain != nil
      guard hasBegun else { return Array(repeating: 1, count: frame) }
      let last = average
      average = (gain ?? 1) / 4 + last * 3 / 4
      return (0..<frame).map { index in
        index < overlap
          ? last * window(overlap + index) + average * window(index) : average
      }
    }
  }

  @Test(
    "recon gains are smoothed and cross-faded as in the formula within 1e-7, and no gain changes nothing",
    arguments: [(960, 60), (120, 60), (48, 48)])
  func gainsAreSmoothedAndCrossFaded(frame: Int, overlap: Int) throws {
    let codec = try codec("Opus", frame, "010201380000bb80000000")
    let smoother = try #require(ReconGainSmoother(codec, channels: 2))
    let gains: [Double?] = [nil, 0.5, 0.25, nil, nil, 1, 0, nil]
    var noise = SeededNoise(seed: 8)
    let samples = noise.samples(frame * gains.count)
    let wanted = zip(samples, factors(gains, frame, overlap)).map { Double($0) * $1 }
    var found = samples
    var other = samples
    for (index, gain) in gains.enumerated() {
      let range = index * frame..<(index + 1) * frame
      found.withUnsafeMutableBufferPointer {
        smoother.apply(gain, to: UnsafeMutableBufferPointer(rebasing: $0[range]), channel: 1)
      }
      other.withUnsafeMutableBufferPointer {
        smoother.apply(nil, to: UnsafeMutableBufferPointer(rebasing: $0[range]), channel: 0)
      }
    }
    for (one, other) in zip(found, wanted) { #expect(abs(Double(one) - other) < 1e-7) }
    // A channel that never has a gain isn't touched.
    #expect(other == samples)
  }

  /// Lossless coding needs no repair.
  @Test("LPCM has no recon gain smoother")
  func exactCodecsHaveNone() throws {
    let plain = try codec("ipcm", 960, "01100000bb80")
    #expect(ReconGainSmoother(plain, channels: 2) == nil)
  }

  /// Gains stand in the order of their bits, for channels that have one.
  @Test("recon gains 255, 0, 51 and 102 are 1, 0, 0.2 and 0.4 in the channels whose flags are set")
  func gainsOfChannels() {
    let gains = ParameterBlock.LayerGains(flags: 0b1010_0000_1001, gains: [255, 0, 51, 102])
    let found = (0..<12).map { gains.gain($0) }
    var wanted = [Double?](repeating: nil, count: 12)
    (wanted[0], wanted[3], wanted[9], wanted[11]) = (1, 0, 0.2, 0.4)
    #expect(found == wanted)
  }
}
