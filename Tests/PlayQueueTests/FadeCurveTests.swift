// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import PlayQueue

/// Gains of fades and crossfades.
@Suite struct FadeCurveTests {
  private static let lengths: [Int64] = [1, 2, 3, 480, 88_200, 1 << 40]

  @Test(
    "every fade curve is exactly 0 and 1 at its ends and never falls between them",
    arguments: FadeCurve.allCases, lengths)
  func endPointsAreExactAndTheCurveRises(curve: FadeCurve, length: Int64) {
    #expect(curve.rising(at: 0, of: length) == 0)
    #expect(curve.rising(at: length, of: length) == 1)
    #expect(curve.falling(at: 0, of: length) == 1)
    #expect(curve.falling(at: length, of: length) == 0)
    #expect(curve.rising(at: 0, of: 0) == 1)
    #expect(curve.falling(at: 0, of: 0) == 0)
    let places = (0...20).map { length * $0 / 20 }
    let gains = places.map { curve.rising(at: $0, of: length) }
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(
    "equal-power crossfades keep the power, and equal-gain ones the sum, within 1e-12",
    arguments: lengths)
  func crossfadesKeepPowerOrSum(length: Int64) {
    for step in Int64(0)...1000 {
      let index = MediaTime.rescale(length, by: step, over: 1000)
      let power = FadeCurve.equalPower
      let (up, down) = (power.rising(at: index, of: length), power.falling(at: index, of: length))
      // 0.01 dB are a factor of 1.0023 in power; rounding alone leaves far less.
      #expect(abs(up * up + down * down - 1) < 1e-12)
      let line = FadeCurve.equalGain
      let sum = line.rising(at: index, of: length) + line.falling(at: index, of: length)
      #expect(abs(sum - 1) < 1e-12)
    }
  }

  @Test("a fade that is linear in decibels has equal steps and -30 dB in its middle")
  func aLineInDecibelsHasEqualSteps() {
    let curve = FadeCurve.linearDecibels
    let ratio = curve.rising(at: 2, of: 100) / curve.rising(at: 1, of: 100)
    for index in Int64(1)..<100 {
      let step = curve.rising(at: index + 1, of: 100) / curve.rising(at: index, of: 100)
      #expect(abs(step / ratio - 1) < 1e-12)
    }
    #expect(abs(curve.rising(at: 50, of: 100) - 0.031_622_776_601_683_79) < 1e-15)
  }

  @Test("samples before and after an item have the nearest gain of its fades")
  func headsAndTailsTakeTheNearestGain() {
    var envelope = ItemEnvelope(frames: 100, decibels: -20)
    envelope.rise = .init(frames: 10, curve: .equalGain)
    envelope.fall = .init(frames: 20, curve: .equalGain)
    let expected: [(Int64, Double)] = [
      (-5, 0), (0, 0), (5, 0.05), (10, 0.1), (80, 0.1), (90, 0.05), (99, 0.005), (1000, 0.005),
    ]
    for (index, gain) in expected { #expect(abs(envelope.gain(at: index) - gain) < 1e-15) }
  }
}
