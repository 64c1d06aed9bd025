// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import TestSupport
import Testing

/// Formats that the converter refuses, and very short programmes.
@Suite struct ResamplerLimitsTests {
  private func format(_ rate: Int, _ layout: ChannelLayout = .mono) -> AudioFormat {
    AudioFormat(sampleRate: rate, layout: layout)
  }

  @Test(
    "rates of 0 and below are refused with the figure",
    arguments: [(0, 48_000), (48_000, 0), (-1, 48_000), (48_000, -44_100)])
  func ratesThatArentRatesAreRefused(rateIn: Int, rateOut: Int) {
    let error = #expect(throws: MediaError.self) {
      _ = try Resampler(to: format(rateOut)).prepare(format(rateIn))
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("\(rateIn) Hz") == true)
  }

  @Test("an empty signal is resampled to an empty one")
  func nothingGivesNothing() throws {
    for rate in [44_100, 48_000, 96_000] {
      let planes = try StageVerifier.run(
        Resampler(to: format(rate)), format: format(48_000), signal: [[]], blockSize: 0)
      #expect(planes == [[]])
    }
  }

  @Test("resampling to the same format keeps each bit")
  func theSameFormatIsTheSameBits() throws {
    var noise = SeededNoise(seed: 3)
    let signal = (0..<2).map { _ in noise.samples(5000) }
    let planes = try StageVerifier.run(
      Resampler(to: format(48_000, .stereo)), format: format(48_000, .stereo), signal: signal,
      blockSize: 480)
    #expect(Alignment.difference(planes, signal) == nil)
  }

  /// Channels keep apart: what is silent stays silent.
  @Test("noise in one channel of 5.1 leaves the other channels silent when resampled")
  func channelsDontLeak() throws {
    var noise = SeededNoise(seed: 4)
    let layout = try #require(ChannelLayout(name: "5.1"))
    var signal = [[Float]](repeating: [Float](repeating: 0, count: 3000), count: 6)
    signal[3] = noise.samples(3000)
    let planes = try StageVerifier.run(
      Resampler(to: format(44_100, layout)), format: format(48_000, layout), signal: signal,
      blockSize: 64)
    for channel in 0..<6 {
      #expect(planes[channel].count == 2757)
      #expect(planes[channel].contains { $0 != 0 } == (channel == 3))
    }
  }
}
