// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

@Suite struct MediaTimeSumTests {
  @Test(
    "sums of times at two rates are exact at their common rate",
    arguments: [
      (1, 44_100, 1, 48_000, 307, 7_056_000), (5, 10, -5, 10, 0, 10), (-1, 3, 1, 6, -1, 6),
      (7, 1, 0, 1_000_000_000, 7_000_000_000, 1_000_000_000),
    ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
  func sumsAreExact(
    _ ticks: Int64, _ rate: Int64, _ other: Int64, _ otherRate: Int64, _ sum: Int64, _ common: Int64
  ) {
    let left = MediaTime(ticks: ticks, rate: rate)
    let right = MediaTime(ticks: other, rate: otherRate)
    #expect(left + right == MediaTime(ticks: sum, rate: common))
    #expect(right + left == MediaTime(ticks: sum, rate: common))
  }

  @Test("sums without a common rate are rounded to the finer rate and saturate")
  func sumsThatNoCommonRateHoldsAreRoundedToTheFinerRate() {
    let fine = MediaTime(ticks: 3, rate: 4_000_000_007)
    let other = MediaTime(ticks: 1, rate: 3_999_999_979)
    #expect((fine + other).rate == 1 << 62 || (fine + other).rate == 4_000_000_007)
    let huge = MediaTime(ticks: .max, rate: 48_000)
    #expect(huge + MediaTime(ticks: 1, rate: 44_100) == MediaTime(ticks: .max, rate: 48_000))
    let low = MediaTime(ticks: .min, rate: 1)
    #expect((low + low).ticks == .min)
    #expect(-low == MediaTime(ticks: .max, rate: 1))
    #expect(-MediaTime(ticks: 5, rate: 7) == MediaTime(ticks: -5, rate: 7))
  }

  @Test("milliseconds are rounded and saturate")
  func millisecondsAreRounded() {
    #expect(MediaTime(ticks: 3, rate: 2000).milliseconds == 2)
    #expect(MediaTime(ticks: -1, rate: 3000).milliseconds == 0)
    #expect(MediaTime(ticks: .max, rate: 1).milliseconds == .max)
  }
}
