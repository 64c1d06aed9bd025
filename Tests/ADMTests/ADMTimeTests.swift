// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ADM

@Suite struct ADMTimeTests {
  private func time(_ text: String) -> ADMTime? { ADMTime(Array(text.utf8)) }

  @Test(
    "times in decimals and in fractions of a rate are read as exact fractions",
    arguments: [
      ("00:00:00.00000", 0, 1), ("00:00:01.5", 3, 2), ("1:2:3.25", 14893, 4),
      ("00:00:05", 5, 1), ("99:59:59.999999999999", 359_999_999_999_999_999, 1_000_000_000_000),
      ("00:00:01.4801S48000", 52801, 48000), ("00:00:00.24000S48000", 1, 2),
    ] as [(String, Int64, Int64)])
  func formsAreExact(text: String, top: Int64, bottom: Int64) {
    let found = time(text)
    #expect(found?.numerator == top)
    #expect(found?.denominator == bottom)
  }

  @Test(
    "a text of another form is no time",
    arguments: [
      "", "1", "00:00", "00:00:", "-00:00:01.0", "+00:00:01.0", "00:60:00.0", "00:00:60.0",
      "100:00:00.0", "99999999999999999999:00:00.0", "00:00:01.", "00:00:01.5S", "00:00:01.S5",
      "00:00:01.5S5", "00:00:01.5S0", "00:00:01.0000000000001", "00:00:01.1S2S3", "00:00:0x1.0",
      "00:00:01.5 ", "00:00:01,5", "00:00:1e1.0",
    ]) func otherFormsAreNone(text: String)
  {
    #expect(time(text) == nil)
  }

  @Test("sums and differences of times are exact fractions, and negative or too fine ones are none")
  func sumsAndDifferencesAreExact() throws {
    let third = try #require(ADMTime(1, over: 3))
    let half = try #require(ADMTime(1, over: 2))
    #expect(third.adding(half) == ADMTime(5, over: 6))
    #expect(half.subtracting(third) == ADMTime(1, over: 6))
    #expect(third.subtracting(half) == nil)
    #expect(third < half && !(half < third))
    let fine = try #require(ADMTime(1, over: .max))
    let other = try #require(ADMTime(1, over: .max - 1))
    #expect(fine.adding(other) == nil)
    #expect(fine < other)
  }

  /// Sample n belongs to [a, b) when a·fs ≤ n < b·fs.
  @Test(
    "the first sample at 48 kHz of a time isn't before it",
    arguments: [
      ("00:00:00.10000", 4800), ("00:00:00.00001", 1), ("00:00:00.00002", 1), ("00:00:00.00003", 2),
      ("00:00:00.4801S48000", 4801), ("00:00:00.4801S48001", 4801),
    ] as [(String, Int64)])
  func theFirstSampleIsNotBefore(text: String, sample: Int64) {
    #expect(time(text)?.firstSample(at: 48000) == sample)
  }
}
