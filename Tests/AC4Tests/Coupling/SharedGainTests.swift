// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Channels of a stream that are companded together get one gain.
@Suite struct SharedGainTests {
  /// Left, right and centre of a stream of 5.0, whose surrounds are made from left and right.
  private func fronts(_ companding: SyntheticExtension.Control) throws -> [[Float]] {
    let mode = try #require(AC4ChannelMode(rawValue: 3))
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    let settings = CoupledElement.Settings(codec: .coupled, values: [[12, 0], [12, 0]])
    var stream = SyntheticStream(rate, mode, seed: 8) {
      var element = CoupledElement($0, $1, settings, addsToSurrounds: false)
      element.companding = companding
      return element
    }
    let frames = (0..<10).map { _ in stream.next() }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let output = AudioBuffer(channels: mode.channels)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    return (0..<3).map { Array(output.channel(mode.places[$0])) }
  }

  /// The level of each stretch of 256 samples in dB, with sound in all of them.
  private func levels(_ plane: [Float]) -> [Double] {
    stride(from: 4096, to: plane.count - 4096, by: 256).map { start in
      let power = plane[start..<start + 256].reduce(0.0) { $0 + Double($1) * Double($1) }
      return 10 * log10(max(1e-12, power / 256))
    }
  }

  /// The gains of each stretch that companding leads to, by channels.
  private func gains(_ companding: SyntheticExtension.Control) throws -> [[Double]] {
    try zip(fronts(companding), fronts(.off)).map { zip(levels($0), levels($1)).map { $0 - $1 } }
  }

  @Test("one companding gain for an interval is the mean over all channels")
  func oneGainForTheWholeIntervalIsThatOfAllChannels() throws {
    let gains = try gains(.sharedMean)
    let spreads = gains[0].indices.map { index -> Double in
      let all = gains.map { $0[index] }
      return (all.max() ?? 0) - (all.min() ?? 0)
    }
    // At the transition from one frame to the next, the channels' own levels count.
    #expect(spreads.sorted()[spreads.count / 2] < 0.1)
    let sizes = gains[0].map(\.magnitude).sorted()
    #expect(sizes[sizes.count / 2] > 1, "companding changes the level")
  }

  @Test("a companding gain for each slot is the mean over all channels")
  func aGainForEachSlotIsThatOfAllChannels() throws {
    let (slots, whole) = (try gains(.shared), try gains(.sharedMean))
    for channel in 0..<3 {
      let differences = zip(slots[channel], whole[channel]).map { ($0 - $1).magnitude }
      // The mean of a frame's gains lies among them.
      let mean = differences.reduce(0, +) / Double(differences.count)
      #expect((0.01...3).contains(mean), "channel \(channel): \(mean) dB")
    }
  }
}
