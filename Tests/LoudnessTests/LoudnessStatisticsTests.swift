// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CEBUR128
import Platform
import Testing

@testable import Loudness
@testable import LoudnessReferences

@Suite struct LoudnessStatisticsTests {
  static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  static func statistics(
    _ planes: [[Float]], _ format: AudioFormat = stereo
  ) throws -> LoudnessStatistics {
    let meter = try LoudnessMeter(format: format)
    try Signal.feed(planes, block: 5000) { try meter.add($0) }
    return meter.statistics()
  }

  static func track(_ seed: UInt64, _ peak: Float, seconds: Double = 14) -> [[Float]] {
    (0..<2).map { Signal.programme(seconds: seconds, rate: 48_000, seed: seed + $0, peak: peak) }
  }

  /// The album figures that libebur128 works out from the states of all tracks.
  private func oracle(_ tracks: [[[Float]]]) throws -> (integrated: Double, range: Double) {
    let modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
    var states: [UnsafeMutablePointer<ebur128_state>?] = tracks.map { planes in
      let state = ebur128_init(2, 48_000, Int32(bitPattern: modes))
      let interleaved = zip(planes[0], planes[1]).flatMap { [$0, $1] }
      ebur128_add_frames_float(state, interleaved, planes[0].count)
      return state
    }
    var (integrated, range) = (0.0, 0.0)
    ebur128_loudness_global_multiple(&states, states.count, &integrated)
    ebur128_loudness_range_multiple(&states, states.count, &range)
    for index in states.indices { ebur128_destroy(&states[index]) }
    return (integrated, range)
  }

  @Test("three tracks have libebur128's album loudness within 0.001 LU and range within 0.05 LU")
  func albumsMeasureAsLibebur128MeasuresThem() throws {
    let tracks = [Self.track(1, 0.5), Self.track(3, 0.02), Self.track(5, 0.12, seconds: 31)]
    let parts = try tracks.map { try Self.statistics($0) }
    let whole = LoudnessStatistics.combined(parts).measurement
    let wanted = try oracle(tracks)
    #expect((try #require(whole.integrated) - wanted.integrated).magnitude < 0.001)
    #expect((try #require(whole.range) - wanted.range).magnitude < 0.05)
    let peaks = parts.compactMap(\.measurement.truePeak)
    #expect(whole.truePeak == peaks.max())
    #expect(whole.samples == parts.reduce(0) { $0 + $1.measurement.samples })
    #expect(whole.channelTruePeaks.count == 2)
  }

  /// The combined statistics of two parts equal those of the whole programme, except for the blocks that
  /// would span the cut.
  @Test(
    "combined statistics are equal for any grouping of tracks, and those of one track are its own")
  func combiningIsExactForAnyGrouping() throws {
    let parts = try [1, 4, 9].map { try Self.statistics(Self.track(UInt64($0), 0.3)) }
    let whole = LoudnessStatistics.combined(parts)
    let nested = LoudnessStatistics.combined([
      parts[0], LoudnessStatistics.combined([parts[1], parts[2]]),
    ])
    #expect(nested == whole)
    #expect(LoudnessStatistics.combined([parts[1]]).measurement == parts[1].measurement)
    #expect(LoudnessStatistics.combined([]).measurement.integrated == nil)
  }

  @Test(
    "tracks of other rates and layouts combine to a loudness between theirs and the higher peak")
  func ratesAndLayoutsMayDiffer() throws {
    let stereo = try Self.statistics(Self.track(2, 0.3))
    let fast = AudioFormat(sampleRate: 96_000, layout: .mono)
    let mono = try Self.statistics(
      [Signal.programme(seconds: 9, rate: 96_000, seed: 7, peak: 0.2)], fast)
    let whole = LoudnessStatistics.combined([stereo, mono]).measurement
    let (one, other) = (stereo.measurement, mono.measurement)
    let levels = [try #require(one.integrated), try #require(other.integrated)].sorted()
    let integrated = try #require(whole.integrated)
    #expect(integrated >= levels[0] && integrated <= levels[1])
    #expect(whole.channelTruePeaks.isEmpty)
    #expect(whole.truePeak == [one.truePeak, other.truePeak].compactMap { $0 }.max())
  }

  @Test(
    "a track of 0.3 s leaves the loudness of a long one as it is, and two of them have that of one")
  func shortTracksCountOnlyAmongThemselves() throws {
    let long = try Self.statistics(Self.track(2, 0.1))
    let short = try Self.statistics(Self.track(3, 0.9, seconds: 0.3))
    #expect(
      LoudnessStatistics.combined([long, short]).measurement.integrated
        == long.measurement.integrated)
    let pair = LoudnessStatistics.combined([short, short]).measurement
    #expect(pair.isShort)
    let alone = try #require(short.measurement.integrated)
    #expect((try #require(pair.integrated) - alone).magnitude < 1e-9)
  }

  /// Short tracks of different lengths have the loudness of their sound, one behind the other.
  @Test("tracks of 0.3 s and 0.1 s combine to their mean power weighted by length")
  func shortTracksCountByTheirLength() throws {
    let loud = try Self.statistics(Self.track(3, 0.9, seconds: 0.3))
    let quiet = try Self.statistics(Self.track(5, 0.05, seconds: 0.1))
    let levels = try [loud, quiet].map { try #require($0.measurement.integrated) }
    #expect(levels[0] - levels[1] > 15)
    let mean = (0.3 * pow(10, levels[0] / 10) + 0.1 * pow(10, levels[1] / 10)) / 0.4
    let pair = try #require(LoudnessStatistics.combined([quiet, loud]).measurement.integrated)
    #expect((pair - 10 * log10(mean)).magnitude < 1e-6)
  }

  /// A place in one track says nothing of the place in a set.
  @Test("statistics of one track have the time of its true peak, and those of two tracks have none")
  func onlyASingleTrackKnowsThePlaceOfItsPeak() throws {
    let one = try Self.statistics(Self.track(3, 0.9, seconds: 1))
    #expect(one.truePeakTime != nil)
    #expect(LoudnessStatistics.combined([one]).truePeakTime == one.truePeakTime)
    #expect(LoudnessStatistics.combined([one, one]).truePeakTime == nil)
  }

  @Test(
    "statistics raised by 12.3 dB are those of the amplified sound, a half of which passes the gate then"
  )
  func scalingMeetsTheGateAsTheMeterDoes() throws {
    // The quiet half passes the absolute gate only after the gain.
    let plane = Signal.tone(-50, seconds: 5) + Signal.tone(-75, seconds: 5)
    let before = try Self.statistics([plane, plane])
    let gain = GainStage(gainDB: 12.3)
    let louder = try Signal.run(gain, [plane, plane], format: Self.stereo)
    let after = try Self.statistics(louder).measurement
    let scaled = before.scaled(byDB: 12.3).measurement
    for (left, right) in [
      (scaled.integrated, after.integrated), (scaled.range, after.range),
      (scaled.truePeak, after.truePeak), (scaled.shortTermMax, after.shortTermMax),
    ] {
      #expect((try #require(left) - (try #require(right))).magnitude < 1e-5)
    }
  }

  @Test(
    "momentary and short-term series of 12 s have 120 values that follow the tones within 0.2 LU")
  func seriesFollowsTheProgramme() throws {
    let plane = Signal.tone(-20, seconds: 4) + Signal.silence(4) + Signal.tone(-30, seconds: 4)
    let series = try Self.statistics([plane, plane]).series
    #expect(series.momentary.count == 120 && series.shortTerm.count == 120)
    #expect(series.momentary[0...2].allSatisfy { $0 == nil })
    #expect(series.shortTerm[0...28].allSatisfy { $0 == nil })
    #expect((try #require(series.momentary[20]) + 20).magnitude < 0.1)
    #expect((try #require(series.shortTerm[29]) + 20).magnitude < 0.1)
    // Half of the window is over: −3 dB.
    #expect((try #require(series.momentary[41]) + 23).magnitude < 0.2)
    #expect((try #require(series.momentary[119]) + 30).magnitude < 0.1)
    #expect(series.momentary[50] ?? -200 < -100)
  }

  @Test("the relative gate of a steady tone is 10 LU below its loudness, and silence has none")
  func relativeGateLiesTenBelowWhatPassesTheAbsoluteOne() throws {
    let tone = Signal.tone(-20, seconds: 5)
    let statistics = try Self.statistics([tone, tone])
    let gate = try #require(statistics.relativeGate)
    #expect((gate - (try #require(statistics.measurement.integrated)) + 10).magnitude < 0.01)
    let silence = [Float](repeating: 0, count: 48_000)
    #expect(try Self.statistics([silence, silence]).relativeGate == nil)
  }
}
