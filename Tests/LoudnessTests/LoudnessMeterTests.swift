// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

@Suite struct LoudnessMeterTests {
  static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  @Test("filter coefficients at 48 kHz are those of the standard within 1e-12")
  func filtersAreThoseOfTheStandardAt48kHz() {
    let filter = KWeighting(sampleRate: 48_000)
    let found = [
      filter.shelfB.0, filter.shelfB.1, filter.shelfB.2, filter.shelfA.0, filter.shelfA.1,
      filter.highPassA.0, filter.highPassA.1,
    ]
    let listed = [
      1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
      -1.99004745483398, 0.99007225036621,
    ]
    for (value, wanted) in zip(found, listed) { #expect((value - wanted).magnitude < 1e-12) }
  }

  @Test(
    "stereo at 8 rates reads as by libebur128 within 0.01 LU, and 0.05 dB of true peak",
    arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000])
  func agreesWithLibebur128AtEveryRate(rate: Int) throws {
    let seconds = rate > 48_000 ? 8.0 : 15.0
    let planes = [3, 4].map { Signal.programme(seconds: seconds, rate: rate, seed: $0) }
    try compare(planes, AudioFormat(sampleRate: rate, layout: .stereo))
  }

  @Test(
    "1 to 8 channels read as by libebur128 within 0.01 LU, and 0.05 dB of true peak", .tags(.slow),
    .fullRunOnly, arguments: 1...8)
  func agreesWithLibebur128ForEveryChannelCount(channels: Int) throws {
    let layout = try #require(ChannelLayout.conventional(channels: channels))
    let planes = (0..<channels).map {
      let peak = Float($0 % 3 + 1) * 0.2
      return Signal.programme(seconds: 12, rate: 48_000, seed: UInt64($0 + 20), peak: peak)
    }
    try compare(planes, AudioFormat(sampleRate: 48_000, layout: layout))
  }

  private func compare(_ planes: [[Float]], _ format: AudioFormat) throws {
    let ours = try Signal.measure(planes, format: format, block: 4096)
    let oracle = try #require(Oracle(planes, format: format))
    #expect((try #require(ours.integrated) - oracle.integrated).magnitude <= 0.01)
    #expect((try #require(ours.range) - oracle.range).magnitude <= 0.1)
    for (peak, other) in zip(ours.channelTruePeaks, oracle.peaks) {
      #expect((try #require(peak) - Signal.decibels(other)).magnitude <= 0.05)
    }
  }

  @Test("dual mono reads 3.01 LU above mono, and as by libebur128 within 0.01 LU")
  func dualMonoCountsTwice() throws {
    let mono = AudioFormat(sampleRate: 48_000, layout: .mono)
    let plane = [Signal.programme(seconds: 5, rate: 48_000, seed: 8)]
    let once = try #require(try Signal.measure(plane, format: mono).integrated)
    let twice = try #require(try Signal.measure(plane, format: mono, dualMono: true).integrated)
    #expect((twice - once - 3.0103).magnitude < 0.001)
    let oracle = try #require(Oracle(plane, format: mono, dualMono: true))
    #expect((twice - oracle.integrated).magnitude <= 0.01)
  }

  @Test("a tone in the LFE of 5.1 has a true peak and no loudness")
  func lowFrequencyChannelHasNoLoudnessButAPeak() throws {
    let layout = try #require(ChannelLayout(name: "5.1"))
    var planes = (0..<6).map { _ in Signal.silence(2) }
    planes[3] = Signal.tone(-6, seconds: 2)
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    let result = try Signal.measure(planes, format: format)
    #expect(result.integrated == nil)
    #expect((try #require(result.truePeak) + 6).magnitude < 0.1)
    #expect(result.channelTruePeaks[0] == nil)
  }

  @Test(
    "a 7.1 programme in blocks of 1 to 5000 samples has exactly the values of one block",
    arguments: [1, 7, 64, 480, 5000])
  func blockSizeDoesNotMatter(block: Int) throws {
    let layout = try #require(ChannelLayout(name: "7.1"))
    let planes = (0..<8).map {
      Signal.programme(seconds: 4, rate: 44_100, seed: UInt64($0), peak: 0.9)
    }
    let format = AudioFormat(sampleRate: 44_100, layout: layout)
    let whole = try Signal.measure(planes, format: format)
    #expect(try Signal.measure(planes, format: format, block: block) == whole)
  }

  @Test("5 s of silence and no samples at all have no loudness")
  func silenceHasNoValues() throws {
    let result = try Signal.measure([Signal.silence(5), Signal.silence(5)], format: Self.stereo)
    #expect(
      result == LoudnessMeasurement(channelTruePeaks: [nil, nil], samples: 240_000))
    let none = try LoudnessMeter(format: Self.stereo).measurement()
    #expect(none.integrated == nil && none.isShort && none.samples == 0)
  }

  @Test(
    "a tone of 50 or 300 ms reads its level within 0.3 LU, and has no momentary maximum or range",
    arguments: [0.05, 0.3])
  func shortProgrammesAreMeasuredWhole(seconds: Double) throws {
    let tone = Signal.tone(-20, seconds: seconds)
    let result = try Signal.measure([tone, tone], format: Self.stereo)
    #expect(result.isShort)
    // The K-weighting filters' settling lowers the level of a short tone a little.
    #expect((try #require(result.integrated) + 20).magnitude < 0.3)
    #expect(result.momentaryMax == nil && result.shortTermMax == nil && result.range == nil)
    // Followed by silence it is the same energy in one 400 ms block.
    let padded = tone + Signal.silence(0.4 - seconds)
    let block = try Signal.measure([padded, padded], format: Self.stereo)
    #expect(!block.isShort)
    let spread = Signal.decibels(seconds / 0.4) / 2
    #expect((try #require(block.integrated) - spread + 20).magnitude < 0.35)
  }

  @Test(
    "a sample that is NaN or infinite is refused as damaged at any position",
    arguments: [Float.nan, .infinity, -.infinity])
  func refusesSamplesThatArentFinite(bad: Float) throws {
    for position in [0, 3, 4, 9] {
      var plane = [Float](repeating: 0.1, count: 10)
      plane[position] = bad
      let meter = try LoudnessMeter(format: Self.stereo)
      let buffer = Signals.buffer([[Float](repeating: 0, count: 10), plane])
      let error = #expect(throws: MediaError.self) { try meter.add(buffer) }
      #expect(error?.kind == .damaged)
    }
  }

  @Test("rates of 4 kHz and 400 kHz are refused")
  func refusesRatesOutOfRange() {
    for rate in [4_000, 400_000] {
      let format = AudioFormat(sampleRate: rate, layout: .mono)
      #expect(throws: MediaError.self) { try LoudnessMeter(format: format) }
    }
  }

  @Test("samples of the largest Float have a finite loudness and true peak")
  func hugeSamplesGiveFiniteValues() throws {
    let plane = [Float](repeating: .greatestFiniteMagnitude, count: 48_000)
    let result = try Signal.measure([plane, plane], format: Self.stereo)
    #expect(try #require(result.integrated).isFinite)
    #expect(try #require(result.truePeak).isFinite)
  }

  @Test("a tone of a millionth of another reads 120 LU less within 1e-5 LU")
  func veryQuietSoundIsMeasuredExactly() throws {
    let tone = Signal.tone(-20, seconds: 0.35)
    let quiet = tone.map { $0 * 1e-6 }
    let loud = try #require(try Signal.measure([tone, tone], format: Self.stereo).integrated)
    let faint = try #require(try Signal.measure([quiet, quiet], format: Self.stereo).integrated)
    #expect((loud - faint - 120).magnitude < 1e-5)
  }

  @Test("the true peak at an abrupt end is that with silence appended, above the samples' own")
  func truePeakIncludesWhatFollowsAnAbruptEnd() throws {
    let plane = Signal.silence(0.5) + [0.5, 0.5]
    let abrupt = try Signal.measure([plane, plane], format: Self.stereo)
    let padded = plane + [Float](repeating: 0, count: 20)
    let faded = try Signal.measure([padded, padded], format: Self.stereo)
    #expect(abrupt.truePeak == faded.truePeak)
    #expect(try #require(abrupt.truePeak) > Signal.decibels(0.6))
  }

  @Test("statistics scaled by a half are those of the halved programme within 1e-6 LU")
  func scalingMovesLevelsOnly() throws {
    let plane = Signal.programme(seconds: 5, rate: 48_000, seed: 5)
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let meter = try LoudnessMeter(format: format)
    try meter.add(Signals.buffer([plane]))
    let before = meter.statistics()
    let after = try Signal.measure([plane.map { $0 * 0.5 }], format: format)
    let scaled = before.scaled(byDB: Signal.decibels(0.5)).measurement
    let pairs: [(Double?, Double?)] = [
      (after.integrated, scaled.integrated), (after.truePeak, scaled.truePeak),
      (after.momentaryMax, scaled.momentaryMax), (after.shortTermMax, scaled.shortTermMax),
      (after.samplePeak, scaled.samplePeak), (after.range, before.measurement.range),
    ]
    for (left, right) in pairs {
      #expect((try #require(left) - (try #require(right))).magnitude < 1e-6)
    }
  }

  @Test("a stereo meter refuses blocks of 3 or 1 channels as an internal error", arguments: [3, 1])
  func refusesBlocksOfOtherChannelCounts(channels: Int) throws {
    let meter = try LoudnessMeter(format: Self.stereo)
    let planes = (0..<channels).map { _ in Signal.tone(-20, seconds: 0.1) }
    let error = #expect(throws: MediaError.self) { try meter.add(Signals.buffer(planes)) }
    #expect(error?.kind == .internal)
  }
}
