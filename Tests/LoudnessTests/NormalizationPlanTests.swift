// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Loudness

/// A plan's statements about all its tracks together.
@Suite struct NormalizationPlanTests {
  private func plan(_ tracks: [(share: Double?, deepest: Double, samples: Int64)])
    -> NormalizationPlan
  {
    NormalizationPlan(
      gainDB: 0,
      tracks: tracks.map { share, deepest, samples in
        NormalizationPlan.Track(
          limiter: share.map {
            LimiterActivity(maxReductionDB: deepest, activeFraction: $0, response: .hard)
          }, output: LoudnessMeasurement(samples: samples))
      }, output: LoudnessMeasurement(), outcome: .reached)
  }

  /// The share of the whole time, in which long tracks count more, and the deepest reduction of all.
  @Test("a set's limiter has the share of the whole time and the deepest reduction of any track")
  func theLimiterOfASetIsThatOfItsWholeTime() {
    let limiter = plan([(0.5, 2, 1000), (nil, 0, 7000), (0.1, 5, 2000)]).limiter
    #expect(limiter?.maxReductionDB == 5 && limiter?.response == .hard)
    #expect(((limiter?.activeFraction ?? 0) - 0.07).magnitude < 1e-12)
  }

  /// A set is judged as a whole or by its loudest track, wherever that stands.
  @Test("a set's loudest track is found in any order, and the set as a whole is quieter")
  func theLoudestTrackIsFoundAnywhere() throws {
    let tracks = try [0.05, 0.4, 0.1].map {
      try LoudnessStatisticsTests.statistics(LoudnessStatisticsTests.track(3, $0, seconds: 2))
    }
    let loudest = try #require(tracks[1].measurement.integrated)
    for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
      let set = ProgrammeSet(order.map { tracks[$0] })
      #expect(set.level(.loudestTrack) == loudest)
      #expect(try #require(set.level(.programme)) < loudest)
    }
  }

  @Test("a plan of tracks without limiters has none, and a track without samples has a share of 0")
  func withoutALimiterThereIsNothingToTell() {
    #expect(plan([(nil, 0, 1000)]).limiter == nil && plan([]).limiter == nil)
    #expect(plan([(0.5, 1, 0)]).limiter?.activeFraction == 0)
  }
}
