// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Verify

/// Comparison of samples bit by bit, without a tolerance; a setting says whether hashes count.
@Suite struct SampleLayerTests {
  private let planes: [[Float]]

  init() {
    var noise = SeededNoise(seed: 11)
    planes = (0..<2).map { _ in noise.samples(5000, peak: 0.5) }
  }

  @Test("equal samples pass with every tolerance")
  func equalSamplesPass() throws {
    for tolerance in ComparisonTolerance.all {
      let result = try Comparing.samples(planes, planes, tolerance)
      #expect(result.status == .passed && result.value("identical") == 1)
      #expect(result.note == "same samples")
    }
  }

  @Test(
    "the smallest difference in one sample fails with its place, or passes where hashes don't count"
  )
  func theSmallestDifferenceIsFound() throws {
    var new = planes
    new[1][1234] = new[1][1234].nextUp
    let strict = try Comparing.samples(planes, new, .exact)
    #expect(strict.status == .failed && strict.value("firstDifference") == 1234)
    #expect(strict.sentence.contains("from sample 1234 on (0.026 s)"), "\(strict.sentence)")
    // If hashes don't count, the other layers decide, and the hash is only printed.
    let lax = try Comparing.samples(planes, new, .transparent)
    #expect(lax.status == .passed && lax.value("identical") == 0)
  }

  @Test("samples of negative zero are equal to zeros")
  func aNegativeZeroIsAZero() throws {
    let zero = [[Float](repeating: 0, count: 100)]
    let negative = [[Float](repeating: -0.0, count: 100)]
    #expect(try Comparing.samples(zero, negative, .exact).status == .passed)
  }

  @Test(
    "a file 1000 samples shorter or longer fails, and the error says that samples differ at the end",
    arguments: [4000, 6000])
  func anotherLengthIsAnotherHash(length: Int) throws {
    let new = planes.map {
      Array($0.prefix(length)) + [Float](repeating: 0, count: max(0, length - 5000))
    }
    let result = try Comparing.samples(planes, new, .exact)
    #expect(result.status == .failed)
    #expect(result.sentence == "the samples differ after REF's end")
    #expect(result.value("firstDifference") == nil)
  }

  @Test("NaN fails the comparison of samples", arguments: [Float.nan, .infinity, -.infinity])
  func whatIsNoNumberFailsEverywhere(bad: Float) throws {
    var new = planes
    new[1][700] = bad
    new[0][900] = bad
    for tolerance in ComparisonTolerance.all {
      let result = try Comparing.samples(planes, new, tolerance)
      #expect(result.status == .failed && result.value("invalid") == 2)
      #expect(result.sentence.contains("first in FR at sample 700"), "\(result.sentence)")
    }
  }

  @Test("a decode error of the reader fails the comparison and is quoted")
  func complaintsOfTheReaderFail() throws {
    var comparator = SampleComparator(format: PlanarSource(planes).format)
    #expect(comparator.judge(.lossy).status == .passed)
    comparator.complaints = [Diagnostic(.decodeErrors, "a frame is missing")]
    let result = comparator.judge(.lossy)
    #expect(result.status == .failed && result.sentence.contains("a frame is missing"))
  }
}
