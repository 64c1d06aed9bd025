// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Verify

/// The difference of TEST and REF, just inside and just outside of each limit.
@Suite struct NullLayerTests {
  private let planes: [[Float]]

  init() {
    var noise = SeededNoise(seed: 21)
    planes = (0..<2).map { _ in noise.samples(48_000, peak: 0.25) }
  }

  private func energy(_ planes: [[Float]]) -> Double {
    planes.joined().reduce(0) { $0 + Double($1) * Double($1) }
  }

  private func scaled(_ planes: [[Float]], by decibels: Double) -> [[Float]] {
    let gain = Float(pow(10, decibels / 20))
    return planes.map { $0.map { $0 * gain } }
  }

  /// REF with noise of its own `decibels` below it.
  private func noisy(_ decibels: Double) -> [[Float]] {
    var noise = SeededNoise(seed: 22)
    let other = (0..<2).map { _ in noise.samples(48_000, peak: 0.25) }
    let off = 10 * log10(energy(planes) / energy(other)) + decibels
    return zip(planes, scaled(other, by: off)).map { zip($0, $1).map { $0 + $1 } }
  }

  @Test("equal samples leave no residual") func equalSamplesLeaveNothing() throws {
    for tolerance in ComparisonTolerance.all {
      let result = try Comparing.null(planes, planes, tolerance)
      #expect(result.status == .passed)
      #expect(result.value("residual") == -200 && result.value("largestDifference") == 0)
    }
  }

  @Test(
    "a residual 0.1 dB below the limit passes, and one 0.1 dB above it fails",
    arguments: [(ComparisonTolerance.transparent, -60.0), (.lossy, -10)])
  func theResidualHasALimit(tolerance: ComparisonTolerance, limit: Double) throws {
    let inside = try Comparing.null(planes, noisy(limit - 0.1), tolerance)
    #expect(inside.status == .passed, "\(inside.sentence)")
    #expect(abs((inside.value("residual") ?? 0) - limit + 0.1) < 0.02)
    let outside = try Comparing.null(planes, noisy(limit + 0.1), tolerance)
    #expect(outside.status == .failed && outside.fault?.rank == .difference)
    #expect(outside.sentence.contains("remains that no lag, swap or gain explains"))
  }

  @Test("a gain of 0.19 dB up or down passes the lossy tolerance", arguments: [0.19, -0.19])
  func aSmallGainIsLetThrough(gain: Double) throws {
    let result = try Comparing.null(planes, scaled(planes, by: gain), .lossy)
    #expect(result.status == .passed, "\(result.sentence)")
    #expect(abs((result.value("gain") ?? 0) - gain) < 0.001)
  }

  @Test(
    "a gain of 0.21 dB fails the lossy tolerance and is named as louder or quieter",
    arguments: [(0.21, "TEST is 0.21 dB louder"), (-0.21, "TEST is 0.21 dB quieter")])
  func aLargerGainIsNamed(gain: Double, words: String) throws {
    let result = try Comparing.null(planes, scaled(planes, by: gain), .lossy)
    #expect(result.status == .failed && result.fault?.rank == .cause)
    #expect(result.sentence.hasPrefix(words), "\(result.sentence)")
  }

  @Test("a gain of -3 dB in FR alone is named as that channel's")
  func oneChannelsGainIsItsOwn() throws {
    let result = try Comparing.null(planes, [planes[0], scaled(planes, by: -3)[1]], .lossy)
    #expect(result.sentence.hasPrefix("FR is 3.0 dB quieter"), "\(result.sentence)")
  }

  @Test("inverted polarity is named for the whole or for its channel")
  func polarityIsNamed() throws {
    let inverted = planes.map { $0.map { -$0 } }
    let both = try Comparing.null(planes, inverted, .lossy)
    #expect(both.sentence == "the polarity is inverted")
    let one = try Comparing.null(planes, [inverted[0], planes[1]], .lossy)
    #expect(one.sentence == "the polarity of FL is inverted")
  }

  @Test("swapped channels and a lag of 3 samples fail by name, although no residual is left")
  func swapsAndLagsFailHoweverLittleRemains() throws {
    let swapped = try Comparing.null(
      planes, [planes[1], planes[0]], .lossy, Alignment(lag: 0, sources: [1, 0]))
    #expect(swapped.sentence == "FL and FR are swapped")
    let late = planes.map { [0, 0, 0] + $0 }
    let moved = try Comparing.null(planes, late, .lossy, Alignment(lag: 3, sources: [0, 1]))
    #expect(moved.sentence == "TEST is 3 samples (0.063 ms) late")
    #expect(moved.value("residualAligned") == -200)
  }

  @Test(
    "channels that are silent in the test are named as missing, and sound in place of silence fails"
  )
  func silenceIsLikeSilenceOnly() throws {
    let silence = planes.map { [Float](repeating: 0, count: $0.count) }
    #expect(try Comparing.null(silence, silence, .exact).status == .passed)
    let lost = try Comparing.null(planes, silence, .lossy)
    #expect(lost.sentence == "FL, FR missing (silent in TEST)")
    let half = try Comparing.null(planes, [planes[0], silence[1]], .lossy)
    #expect(half.sentence == "FR missing (silent in TEST)")
    let added = try Comparing.null(silence, planes, .lossy)
    #expect(added.status == .failed && added.value("residual") == 200)
  }

  @Test("a click is named with its channel and time, and damage with the span in which it lies")
  func placesAreNamed() throws {
    var clicked = planes
    for index in 12_000..<12_010 { clicked[1][index] += 0.5 }
    let click = try Comparing.null(planes, clicked, .transparent)
    #expect(click.sentence.hasPrefix("TEST has a click in FR at 0.250 s: 10 samples"))
    var damaged = planes
    for index in 12_000..<24_000 { damaged[0][index] = -damaged[1][index] }
    let part = try Comparing.null(planes, damaged, .transparent)
    #expect(part.fault?.rank == .effect)
    #expect(part.sentence.contains("in FL from 0.250 s to 0.500 s only"), "\(part.sentence)")
  }

  /// Only samples that both have are compared; the structure layer reports different lengths.
  @Test("a longer file is compared over the common samples") func moreAtTheEndRemovesNothing()
    throws
  {
    let longer = planes.map { $0 + [Float](repeating: 0.5, count: 9000) }
    #expect(try Comparing.null(planes, longer, .exact).status == .passed)
    #expect(try Comparing.null(longer, planes, .exact).status == .passed)
  }
}
