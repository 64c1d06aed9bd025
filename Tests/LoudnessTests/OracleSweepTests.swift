// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// Seeded random programmes over rates and channel counts, against libebur128.
@Suite struct OracleSweepTests {
  struct Case: CustomStringConvertible {
    let seed: UInt64
    let rate: Int
    let channels: Int
    var description: String { "\(rate) Hz, \(channels) channels, seed \(seed)" }
  }

  /// All common rates, then any others; channel counts in random combination with them.
  static let cases: [Case] = {
    let common = [8_000, 16_000, 32_000, 44_100, 48_000, 96_000, 176_400, 192_000]
    var noise = SeededNoise(seed: 2_026)
    let random = noise.samples(48, peak: 1).map { Double($0.magnitude) }
    return (0..<24).map { index in
      let rate =
        index < 2 * common.count
        ? common[index % common.count] : 8_000 + Int(random[2 * index] * 184_000)
      let channels = 1 + min(7, Int(random[2 * index + 1] * 8))
      return Case(seed: UInt64(index + 100), rate: rate, channels: channels)
    }
  }()

  /// The programmes keep below 0.05 of the rate: from there on the filter of BS.1770, Annex 2, reads up
  /// to 0.2 dB higher than libebur128's own.
  @Test(
    "random programmes at random rates and channel counts read as by libebur128 within 0.01 LU",
    .tags(.slow), .fullRunOnly, arguments: Self.cases)
  func agreesWithLibebur128(of entry: Case) throws {
    let layout = try #require(ChannelLayout.conventional(channels: entry.channels))
    let format = AudioFormat(sampleRate: entry.rate, layout: layout)
    let seconds = entry.rate > 64_000 ? 6.0 : 12
    let planes = (0..<entry.channels).map { channel in
      let seed = entry.seed * 8 + UInt64(channel)
      return Signal.programme(
        seconds: seconds, rate: entry.rate, seed: seed, peak: Float(seed % 5 + 1) * 0.18,
        bandwidth: 0.05)
    }
    let ours = try Signal.measure(planes, format: format, block: 1000 + Int(entry.seed))
    let oracle = try #require(Oracle(planes, format: format))
    #expect((try #require(ours.integrated) - oracle.integrated).magnitude <= 0.01)
    #expect((try #require(ours.range) - oracle.range).magnitude <= 0.1)
    // At exactly 96 and 192 kHz we oversample twice as often and may find more.
    let more = entry.rate == 96_000 || entry.rate == 192_000 ? 0.2 : 0.05
    for (peak, other) in zip(ours.channelTruePeaks, oracle.peaks) {
      let difference = try #require(peak) - Signal.decibels(other)
      #expect(difference >= -0.05 && difference <= more)
    }
  }
}
