// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

/// Lengths and places of sound that is made faster.
struct TempoTests {
  @Test(
    "lengths divided by a tempo are the nearest whole numbers, halves away from zero",
    arguments: [
      (0, 2.0, 0), (5, 2, 3), (-5, 2, -3), (4, 2, 2), (100, 0.5, 200), (7, 1.25, 6), (9, 1, 9),
    ])
  func lengthsAreTheNearestWholeNumbers(count: Int64, factor: Double, result: Int64) {
    #expect(Tempo(factor).frames(count) == result)
  }

  @Test("the largest and least places at a tempo of 0.25 saturate at ±2^62")
  func farPlacesSaturate() {
    #expect(Tempo(0.25).frames(.max) == 1 << 62 && Tempo(0.25).frames(.min) == -(1 << 62))
    #expect(Tempo.same.frames(.max) == .max)
  }

  @Test("times are divided by the tempo") func timesFollow() {
    let time = MediaTime(ticks: 3, rate: 1)
    #expect(Tempo(2).time(time, rate: 48_000) == MediaTime(ticks: 72_000, rate: 48_000))
    #expect(Tempo.same.time(time, rate: 48_000) == time)
    #expect(Tempo(2).followed(by: Tempo(0.5)).isSame)
  }
}
