// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import IAMF

/// The samples of units that are presented.
@Suite struct TrimmingTests {
  /// Start and end trims of units of 10 samples, the presented ranges, clamped and misplaced units.
  private static let cases: [(String, [(Int, Int)], [Range<Int>], Int, Int)] = [
    ("nothing", [(0, 0), (0, 0)], [0..<10, 0..<10], 0, 0),
    ("whole units", [(10, 0), (4, 0), (0, 3), (0, 10)], [10..<10, 4..<10, 0..<7, 0..<0], 0, 0),
    ("one unit at both ends", [(2, 3)], [2..<7], 0, 0),
    ("more than a unit", [(1000, 0), (0, 0)], [10..<10, 0..<10], 1, 0),
    ("more than a unit in all", [(0, 0), (6, 6)], [0..<10, 6..<6], 1, 1),
    ("a join without a header", [(0, 4), (3, 0)], [0..<6, 3..<10], 0, 1),
    ("a start in the middle", [(0, 0), (3, 0), (0, 0)], [0..<10, 3..<10, 0..<10], 0, 1),
  ]

  @Test(
    "trims of units of 10 samples give the listed ranges, and clamped and misplaced units are counted",
    arguments: cases)
  func laws(
    name: String, trims: [(Int, Int)], ranges: [Range<Int>], clamped: Int, misplaced: Int
  ) {
    var clock = TrimmingClock()
    let found = trims.map { clock.range(10, OBU.Trim(start: $0.0, end: $0.1)) }
    #expect(found == ranges)
    #expect(clock.clampedUnits == clamped && clock.misplacedUnits == misplaced)
    #expect(clock.decoded == Int64(10 * trims.count))
    #expect(clock.presented == ranges.reduce(0) { $0 + Int64($1.count) })
    #expect(clock.decoded == clock.trimmedStart + clock.presented + clock.trimmedEnd)
  }
}
