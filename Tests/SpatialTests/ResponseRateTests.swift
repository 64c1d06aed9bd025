// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial

/// Responses at another rate are the same responses, sampled at other times.
@Suite struct ResponseRateTests {
  /// Rates of sets and of programmes; 44101 has a ratio whose weights aren't kept.
  private static let pairs = [
    (44_100, 48_000), (48_000, 44_100), (48_000, 96_000), (96_000, 48_000), (96_000, 44_100),
    (88_200, 48_000), (48_000, 8_000), (48_000, 44_101),
  ]

  /// A sound whose values are known at all times: tones under bells. A bell's spectrum has fallen by 200 dB within 0.04 of
  /// the lower rate, so that of tones up to 0.8 of the lower band ends before the filter's edge.
  private struct Bells {
    let lower: Int

    /// Its value at `time` in seconds.
    func value(at time: Double) -> Double {
      let place = time * Double(lower)
      return [0.1, 0.3, 0.5, 0.7, 0.8].enumerated().reduce(0) { sum, tone in
        let distance = (place - 500 - 20 * Double(tone.offset)) / 28
        let angle = .pi * tone.element * place + Double(tone.offset)
        return sum + 0.2 * exp(-0.5 * distance * distance) * cos(angle)
      }
    }
  }

  @Test(
    "a response's samples at another rate are its values there within −135 dB", arguments: pairs)
  func theSoundIsTheSame(rateIn: Int, rateOut: Int) throws {
    let lower = min(rateIn, rateOut)
    let bells = Bells(lower: lower)
    let response = (0..<1100 * rateIn / lower).map {
      Float(bells.value(at: Double($0) / Double(rateIn)))
    }
    let got = try ResponseRate(from: rateIn, to: rateOut).converted(response)
    #expect(got.count == (response.count * rateOut + rateIn - 1) / rateIn)
    let scale = Double(rateIn) / Double(rateOut)
    var (error, power) = (0.0, 0.0)
    for (index, value) in got.enumerated() {
      let wanted = scale * bells.value(at: Double(index) / Double(rateOut))
      error += (value - wanted) * (value - wanted)
      power += wanted * wanted
    }
    #expect(10 * log10(error / power) < -135)
  }

  @Test(
    "responses of any length are resampled to the sinc reference within 1e-12", arguments: pairs)
  func theWeightsAreThoseOfTheReference(rateIn: Int, rateOut: Int) throws {
    var noise = SeededNoise(seed: 11)
    let reference = SincReference(from: rateIn, to: rateOut)
    let conversion = try ResponseRate(from: rateIn, to: rateOut)
    for count in [1, 2, 100, 777] {
      let response = noise.samples(count)
      let got = conversion.converted(response)
      let wanted = reference.resample(response).map { $0 * Double(rateIn) / Double(rateOut) }
      #expect(got.count == wanted.count && got.count == conversion.frames(count))
      let worst = zip(got, wanted).map { ($0 - $1).magnitude }.max() ?? 1
      #expect(worst < 1e-12, "\(count) samples")
    }
  }

  @Test("a response keeps its gain at 0 Hz", arguments: pairs)
  func theGainStays(rateIn: Int, rateOut: Int) throws {
    // Silence around it keeps the filter's ends within the response.
    let bell = (0..<4000).map { Float(exp(-0.5 * pow(Double($0 - 2000) / 300, 2))) }
    let got = try ResponseRate(from: rateIn, to: rateOut).converted(bell)
    let wanted = bell.reduce(0.0) { $0 + Double($1) }
    #expect((got.reduce(0, +) / wanted - 1).magnitude < 1e-6)
  }

  @Test("a response at its own rate keeps each bit, and an empty one stays empty")
  func theSameRateIsTheSameBits() throws {
    var noise = SeededNoise(seed: 12)
    let response = noise.samples(500)
    let same = try ResponseRate(from: 48_000, to: 48_000)
    #expect(same.converted(response) == response.map(Double.init))
    #expect(try ResponseRate(from: 44_100, to: 48_000).converted([]) == [])
  }

  @Test("rates of 0 and below are refused", arguments: [(0, 48_000), (44_100, -1)])
  func ratesThatArentRatesAreRefused(rateIn: Int, rateOut: Int) {
    let error = #expect(throws: MediaError.self) { _ = try ResponseRate(from: rateIn, to: rateOut) }
    #expect(error?.kind == .unsupportedFeature)
  }
}
