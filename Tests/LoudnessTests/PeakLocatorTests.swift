// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

@Suite struct PeakLocatorTests {
  /// The highest place is what the meter reads, in blocks of any size.
  @Test(
    "the highest peak found is the meter's true peak within 1e-6 dB, for blocks of any size",
    arguments: [1, 64, 480, 1024], [48_000, 96_000, 176_400, 192_000, 384_000])
  func theHighestIsThatOfTheMeter(block: Int, rate: Int) throws {
    let samples = Signal.programme(seconds: 0.5, rate: rate, seed: 9)
    let format = Signal.format(rate, "mono")
    let meter = try LoudnessMeter(format: format)
    try meter.add(Signals.buffer([samples]))
    let whole = try #require(meter.measurement().truePeak)
    let locator = PeakLocator(format: format, limit: 0.1)
    var found: [PeakLocator.Peak] = []
    for start in stride(from: 0, to: samples.count, by: block) {
      let part = Array(samples[start..<min(samples.count, start + block)])
      found += locator.find(in: Signals.buffer([part]), at: Int64(start))
    }
    let highest = try #require(found.map(\.level).max())
    #expect((Signal.decibels(Double(highest)) - whole).magnitude < 1e-6)
    let place = try #require(found.first { $0.level == highest }?.position)
    #expect(
      samples[max(0, Int(place) - 1)...Int(place) + 1].contains { $0.magnitude > 0.8 * highest })
  }

  @Test("no peak below the limit is found") func nothingBelowTheLimitIsFound() {
    var samples = [Float](repeating: 0, count: 4000)
    samples[3000] = 0.5
    let format = Signal.format(48_000, "mono")
    #expect(
      PeakLocator(format: format, limit: 0.52).find(in: Signals.buffer([samples]), at: 0).isEmpty)
    let found = PeakLocator(format: format, limit: 0.49).find(
      in: Signals.buffer([samples]), at: 700)
    #expect(found.count == 1 && (3698...3700).contains(found[0].position))
  }
}
