// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// Positions against schoolbook fractions of digits, which share nothing with the code.
@Suite struct PlacementTests {
  private static let rates: [Int64] = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400,
    192_000,
  ]

  private func queue(_ count: Int, _ transition: Transition = .cut) -> PlayQueue {
    var queue = PlayQueue(
      (0..<count).map { QueueItem(.file(path: "\($0).flac", track: nil, range: QueueRange())) })
    queue.transition = transition
    return queue
  }

  @Test("10,000 items of one sample don't drift") func tenThousandSingleSamplesDontDrift() throws {
    let lengths = Array(repeating: MediaTime(ticks: 1, rate: 8000), count: 10_000)
    let placed = try Placement(queue(10_000), lengths: lengths, rate: 192_000)
    #expect(
      placed.items.enumerated().allSatisfy { $1.start == Int64($0) * 24 && $1.frames == 24 })
    #expect(placed.frames == 240_000)
    let lower = try Placement(queue(10_000), lengths: lengths, rate: 11_025)
    #expect(lower.frames == 13_781)  // 13781.25
  }

  @Test(
    "1000 items of mixed rates start within half a sample of their exact place",
    arguments: [44_100, 48_000, 192_000])
  func aThousandMixedItemsAreWhereBigIntegersPutThem(rate: Int) throws {
    var noise = SeededNoise(seed: UInt64(rate))
    let lengths = (0..<1000).map { _ in
      MediaTime(
        ticks: Int64.random(in: 1...10_000_000, using: &noise),
        rate: PlacementTests.rates.randomElement(using: &noise) ?? 8000)
    }
    let placed = try Placement(queue(1000), lengths: lengths, rate: rate)
    // 28224000 is a multiple of every rate above.
    let scale: Int64 = 28_224_000
    var sum = BigNumber(0)
    for (item, length) in zip(placed.items, lengths) {
      // |start · scale − sum · rate| ≤ scale / 2, with everything doubled.
      let exact = sum.times(2 * Int64(rate))
      let position = BigNumber(item.start).times(2 * scale)
      #expect(!position.plus(scale).isLess(than: exact))
      #expect(!exact.plus(scale).isLess(than: position))
      sum = sum.plus(length.ticks * (scale / length.rate))
    }
    #expect(zip(placed.items, placed.items.dropFirst()).allSatisfy { $0.end == $1.start })
  }

  @Test("the order of items doesn't change the length of the whole") func orderDoesntChangeTheSum()
    throws
  {
    var noise = SeededNoise(seed: 4)
    var times = (0..<500).map { _ in
      MediaTime(
        ticks: Int64.random(in: 1...99_999, using: &noise),
        rate: PlacementTests.rates.randomElement(using: &noise) ?? 8000)
    }
    var sums: [ExactTime] = []
    for _ in 0..<5 {
      times.shuffle(using: &noise)
      var sum = ExactTime()
      for time in times { try sum.add(time) }
      sums.append(sum)
    }
    #expect(sums.allSatisfy { $0 == sums[0] })
  }

  @Test("crossfades of 0.25 s shorten a queue of four items, and gaps of 0.25 s lengthen it")
  func crossfadesShortenAndGapsLengthen() throws {
    let lengths = Array(repeating: MediaTime(ticks: 44_100, rate: 44_100), count: 4)
    let half = TimeSpec.clock(MediaTime(ticks: 1, rate: 4))
    let fade = Transition.crossfade(length: half, curve: .equalPower)
    let faded = try Placement(queue(4, fade), lengths: lengths, rate: 48_000)
    #expect(faded.items.map(\.start) == [0, 36_000, 72_000, 108_000])
    #expect(faded.frames == 156_000)
    #expect(faded.items[0].envelope.fall == faded.items[1].envelope.rise)
    #expect(faded.items[1].envelope.fall.frames == 12_000)
    let apart = try Placement(queue(4, .gap(half)), lengths: lengths, rate: 48_000)
    #expect(apart.items.map(\.start) == [0, 60_000, 120_000, 180_000])
  }

  /// Positions are rounded to the nearest sample, halves away from zero on both sides of it.
  @Test(
    "positions are rounded to the nearest sample, and halves away from zero",
    arguments: [
      (1, 2, 1), (1, 3, 0), (2, 3, 1), (3, 2, 2), (5, 4, 1), (7, 4, 2), (4, 4, 1),
    ] as [(Int64, Int64, Int64)])
  func positionsAreRoundedAlikeOnBothSides(ticks: Int64, rate: Int64, samples: Int64) throws {
    for isNegative in [false, true] {
      var time = ExactTime()
      try time.add(MediaTime(ticks: ticks, rate: rate), isNegative: isNegative)
      #expect(try time.samples(at: 1) == (isNegative ? -samples : samples))
    }
  }

  @Test("items of one rate in a row keep the phase of their conversion")
  func theRunsOfOneRateKeepTheirPhase() throws {
    // The album of facts: 441337 and 523456 samples at 44.1 kHz, then another rate.
    let lengths = [(441_337, 44_100), (523_456, 44_100), (500, 32_000), (9, 44_100), (7, 44_100)]
      .map { MediaTime(ticks: $0, rate: $1) }
    let placed = try Placement(queue(5), lengths: lengths, rate: 48_000)
    #expect(placed.items.map(\.conversion.sampleInRun) == [0, 441_337, 0, 0, 9])
    #expect(placed.items.map(\.conversion.zeros) == [0, 441_337 % 147, 0, 0, 9])
    #expect(placed.items[1].conversion.gridStart == (441_337 - 441_337 % 147) / 147 * 160)
    #expect(placed.items[1].start == 480_367)  // 480366.80
    #expect(placed.items[4].conversion.gridStart == placed.items[3].start)
  }

  @Test(
    "for 100 samples at 44.1 and at 48 kHz the programme's rate is 48 kHz, or the one asked for")
  func theRateIsThatOfMostSamples() {
    let lengths = [(100, 44_100), (60, 48_000), (40, 48_000), (999, 1)]
      .map { MediaTime(ticks: $0, rate: $1) }
    var four = queue(4)
    four.items[3].source = .silence(.clock(MediaTime(ticks: 999, rate: 1)))
    #expect(Placement.programmeRate(asked: nil, four, lengths: lengths) == 48_000)
    #expect(Placement.programmeRate(asked: 8000, four, lengths: lengths) == 8000)
  }

  /// An item of less than half a sample has no frames, and its placement isn't damaged for that.
  @Test("30 items of a sample at 192 kHz give one sample at 8 kHz, and a plausible placement")
  func itemsThatRoundToNothingArePlausible() throws {
    let lengths = Array(repeating: MediaTime(ticks: 1, rate: 192_000), count: 30)
    let placed = try Placement(queue(30), lengths: lengths, rate: 8000)
    #expect(placed.items.contains { $0.frames == 0 } && placed.frames == 1)
    #expect(placed.isPlausible)
  }

  @Test("crossfades and fades longer than their item are refused with both lengths")
  func fadesThatDontFitAreRefused() throws {
    let lengths = [10, 10, 10].map { MediaTime(ticks: $0, rate: 8000) }
    func fault(_ change: (inout PlayQueue) -> Void) -> QueueFault? {
      var queue = queue(3)
      change(&queue)
      do {
        _ = try Placement(queue, lengths: lengths, rate: 8000)
        return nil
      } catch { return error }
    }
    func crossfade(_ count: Int64) -> Transition {
      .crossfade(length: .samples(count), curve: .equalGain)
    }
    #expect(fault { $0.transition = crossfade(5) } == nil)
    #expect(
      fault { $0.transition = crossfade(6) }
        == QueueFault(.crossfadesOverlap(crossfades: 12, length: 10), item: 2))
    #expect(
      fault { $0.items[2].transition = crossfade(11) }
        == QueueFault(.crossfadeTooLong(crossfade: 11, length: 10), item: 3))
    let fades: (inout PlayQueue) -> Void = {
      $0.items[1].fadeIn = Fade(.samples(5))
      $0.items[1].fadeOut = Fade(.samples(6))
    }
    #expect(fault(fades) == QueueFault(.fadesMeet(fades: 11, length: 10), item: 2))
    let odd = [Int64.max, Int64.max - 1, Int64.max - 2].map { MediaTime(ticks: 1, rate: $0) }
    #expect(throws: QueueFault(.positionTooLarge, item: 3)) {
      try Placement(queue(3), lengths: odd, rate: 48_000)
    }
  }
}

/// A number of any size in digits of 10000, the lowest first.
private struct BigNumber {
  private var digits: [Int64] = []

  init(_ value: Int64) {
    var rest = value
    while rest > 0 {
      digits.append(rest % 10_000)
      rest /= 10_000
    }
  }

  func plus(_ value: Int64) -> BigNumber {
    let other = BigNumber(value).digits
    var sum = self
    var carry: Int64 = 0
    for place in 0..<(max(digits.count, other.count) + 1) {
      if place == sum.digits.count { sum.digits.append(0) }
      let digit = sum.digits[place] + (place < other.count ? other[place] : 0) + carry
      sum.digits[place] = digit % 10_000
      carry = digit / 10_000
    }
    return sum
  }

  func times(_ factor: Int64) -> BigNumber {
    var product = self
    var carry: Int64 = 0
    for place in 0..<(digits.count + 5) {
      if place == product.digits.count { product.digits.append(0) }
      let digit = product.digits[place] * factor + carry
      product.digits[place] = digit % 10_000
      carry = digit / 10_000
    }
    return product
  }

  func isLess(than other: BigNumber) -> Bool {
    let count = max(digits.count, other.digits.count)
    func padded(_ digits: [Int64]) -> [Int64] {
      Array((digits + Array(repeating: 0, count: count - digits.count)).reversed())
    }
    return padded(digits).lexicographicallyPrecedes(padded(other.digits))
  }
}
