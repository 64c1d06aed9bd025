// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Verify

/// Differences between the ears just inside and just outside of their limits.
@Suite struct InterauralLayerTests {
  private let left: [Float]
  private let other: [Float]
  /// Only one limit at a time counts.
  private let open: ComparisonTolerance = {
    var tolerance = ComparisonTolerance.lossy
    (tolerance.interauralLevel, tolerance.interauralTime) = (1000, 1_000_000)
    tolerance.interauralCoherence = 10
    return tolerance
  }()

  init() {
    var noise = SeededNoise(seed: 41)
    left = noise.samples(96_000, peak: 0.25)
    other = noise.samples(96_000, peak: 0.25)
  }

  private func judge(
    _ right: [Float], _ change: (inout ComparisonTolerance) -> Void
  ) throws -> LayerResult {
    var tolerance = open
    change(&tolerance)
    return try Comparing.interaural([left, left], [left, right], tolerance)
  }

  @Test("equal ears pass with all interaural figures below 1e-9")
  func equalEarsPass() throws {
    let result = try judge(left) { $0 = .exact }
    #expect(result.status == .passed)
    #expect(result.figures.allSatisfy { abs($0.value ?? 1) < 1e-9 })
  }

  @Test(
    "an interaural level change of 0.195 dB passes a limit of 0.2 dB, and one of 0.205 dB fails",
    arguments: [1.0, -1])
  func levelsHaveALimit(sign: Double) throws {
    func changed(_ decibels: Double) -> [Float] {
      left.map { $0 * Float(pow(10, sign * decibels / 20)) }
    }
    let inside = try judge(changed(0.195)) { $0.interauralLevel = 0.2 }
    #expect(inside.status == .passed, "\(inside.sentence)")
    let outside = try judge(changed(0.205)) { $0.interauralLevel = 0.2 }
    #expect(outside.sentence.hasPrefix("interaural levels change by 0.205 dB"))
  }

  @Test(
    "an interaural time change of one sample passes a limit of 23 µs and fails one of 19 µs",
    arguments: [1, -1])
  func timesHaveALimit(sign: Int) throws {
    // One sample is 20.8 µs.
    let moved: [Float] = sign > 0 ? [0] + Array(left.dropLast()) : Array(left.dropFirst()) + [0]
    let inside = try judge(moved) { $0.interauralTime = 23 }
    #expect(inside.status == .passed, "\(inside.sentence)")
    let outside = try judge(moved) { $0.interauralTime = 19 }
    #expect(outside.sentence.hasPrefix("interaural times change by"), "\(outside.sentence)")
  }

  @Test("a coherence of 0.8 passes a limit of 0.25 for its change and fails one of 0.15")
  func coherenceHasALimit() throws {
    // 0.8 of the one and 0.6 of another noise have the same power and a coherence of 0.8.
    let mixed = zip(left, other).map { 0.8 * $0 + 0.6 * $1 }
    let inside = try judge(mixed) { $0.interauralCoherence = 0.25 }
    #expect(inside.status == .passed, "\(inside.sentence)")
    let outside = try judge(mixed) { $0.interauralCoherence = 0.15 }
    #expect(outside.sentence.hasPrefix("interaural coherence change by"), "\(outside.sentence)")
  }

  @Test("a silent reference passes the interaural layer with all figures at 0")
  func silenceTellsNothing() throws {
    let silence = [Float](repeating: 0, count: 96_000)
    let result = try Comparing.interaural([silence, silence], [left, other], .exact)
    #expect(result.status == .passed && result.figures.allSatisfy { $0.value == 0 })
  }

  @Test("a single channel passes the interaural layer")
  func anythingButTwoChannelsIsPassedOver() throws {
    let result = try Comparing.interaural([left], [other], .exact)
    #expect(result.status == .passed)
  }

  /// An incomplete second at the end counts as a whole one.
  @Test("a quarter of a second at half the level in one ear fails with an ILD of 6.02 dB")
  func theLastPartOfASecondCounts() throws {
    let short = Array(left.prefix(12_000))
    let result = try Comparing.interaural(
      [short, short], [short, short.map { $0 * 0.5 }], .transparent)
    #expect(result.status == .failed && abs((result.value("ild") ?? 0) - 6.02) < 0.05)
  }
}
