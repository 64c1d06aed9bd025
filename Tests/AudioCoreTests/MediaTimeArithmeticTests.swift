// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

/// Arithmetic of times is compared with the standard library's 128-bit integers.
@Suite struct MediaTimeArithmeticTests {
  private static let edges: [Int64] = [
    .min, .min + 1, -(1 << 62), -48_001, -2, -1, 0, 1, 2, 3, 44_100, 48_000, 90_000, 1 << 32,
    (1 << 62) + 1, .max - 1, .max,
  ]

  /// `value * factor / divisor`, halves away from zero, saturated.
  private func slow(_ value: Int64, _ factor: Int64, _ divisor: Int64) -> Int64 {
    let product = Int128(value) * Int128(factor)
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: Int128(divisor))
    let isUp = 2 * rest.magnitude >= Int128(divisor).magnitude
    let isNegative = (product < 0) != (divisor < 0)
    return Int64(clamping: quotient + (isUp ? (isNegative ? -1 : 1) : 0))
  }

  @Test("rescaling edge values agrees with 128-bit arithmetic")
  func rescalingIsExactAtTheEdges() {
    for value in MediaTimeArithmeticTests.edges {
      for factor in MediaTimeArithmeticTests.edges {
        for divisor in MediaTimeArithmeticTests.edges where divisor != 0 {
          let got = MediaTime.rescale(value, by: factor, over: divisor)
          #expect(got == slow(value, factor, divisor), "\(value) × \(factor) / \(divisor)")
        }
      }
    }
  }

  @Test("rescaling 20,000 random values agrees with 128-bit arithmetic")
  func rescalingIsExactAnywhere() {
    var random = SeededNoise(seed: 128)
    for _ in 0..<20_000 {
      // The length in bits is random, so that small numbers are as frequent as large ones.
      let numbers = (0..<3).map { _ in
        Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      }
      guard numbers[2] != 0 else { continue }
      let got = MediaTime.rescale(numbers[0], by: numbers[1], over: numbers[2])
      #expect(got == slow(numbers[0], numbers[1], numbers[2]), "\(numbers)")
    }
  }

  @Test(
    "half samples round away from zero",
    arguments: [(1, 1), (3, 2), (5, 3), (-1, -1), (-3, -2), (-5, -3)] as [(Int64, Int64)])
  func halfSamplesRoundAwayFromZero(ticks: Int64, samples: Int64) {
    #expect(MediaTime(ticks: ticks, rate: 96_000).samples(at: 48_000) == samples)
  }

  @Test("rates of 0 and −7 count as 1")
  func thereIsNoRateBelowOne() {
    #expect(MediaTime(ticks: 5, rate: 0).rate == 1)
    #expect(MediaTime(ticks: 5, rate: -7).samples(at: 10) == 50)
  }

  @Test("times of different rates are ordered as 128-bit products are")
  func orderIsExactWhateverTheRates() {
    let rates: [Int64] = [1, 2, 3, 1000, 44_100, 48_000, .max]
    for ticks in MediaTimeArithmeticTests.edges {
      for other in MediaTimeArithmeticTests.edges {
        for (rate, otherRate) in zip(rates, rates.reversed()) {
          let wanted = Int128(ticks) * Int128(otherRate) < Int128(other) * Int128(rate)
          let got = MediaTime(ticks: ticks, rate: rate) < MediaTime(ticks: other, rate: otherRate)
          #expect(got == wanted, "\(ticks)/\(rate) < \(other)/\(otherRate)")
        }
      }
    }
  }

  @Test("least common multiples are the least, and saturate at the largest integer")
  func commonMultiplesAreTheLeast() {
    for first in 1...30 as ClosedRange<Int64> {
      for second in 1...30 as ClosedRange<Int64> {
        let wanted = (1...900 as ClosedRange<Int64>).first { $0 % first == 0 && $0 % second == 0 }
        #expect(MediaTime.leastCommonMultiple(first, second) == wanted)
      }
    }
    #expect(MediaTime.leastCommonMultiple(44_100, 48_000) == 7_056_000)
    #expect(MediaTime.leastCommonMultiple(.max, .max - 1) == .max)
    #expect(MediaTime.leastCommonMultiple(.max, .max) == .max)
  }

  @Test(
    "clocks are rounded to milliseconds, with halves away from zero and no −0",
    arguments: [
      (0, 1, "00:00:00.000"), (59_999, 1000, "00:00:59.999"), (1, 2001, "00:00:00.000"),
      (1, 2000, "00:00:00.001"), (360_000, 1, "100:00:00.000"), (-90, 1, "-00:01:30.000"),
      (-1, 48_000, "00:00:00.000"),
    ] as [(Int64, Int64, String)])
  func clocksAreRoundedToMilliseconds(ticks: Int64, rate: Int64, text: String) {
    #expect(MediaTime(ticks: ticks, rate: rate).description == text)
  }
}
