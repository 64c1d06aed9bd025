// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// K-weighting at rates the standard has no table for (ITU-R BS.1770-5, Annex 1).
@Suite struct KWeightingResponseTests {
  /// Gain of both filters at `frequency` Hz, in dB.
  private func level(_ frequency: Double, rate: Int) -> Double {
    let filter = KWeighting(sampleRate: rate)
    let angle = 2 * Double.pi * frequency / Double(rate)
    func size(_ taps: (Double, Double, Double)) -> Double {
      let real = taps.0 + taps.1 * cos(angle) + taps.2 * cos(2 * angle)
      let imaginary = taps.1 * sin(angle) + taps.2 * sin(2 * angle)
      return (real * real + imaginary * imaginary).squareRoot()
    }
    let shelf = size(filter.shelfB) / size((1, filter.shelfA.0, filter.shelfA.1))
    let pass = size((1, -2, 1)) / size((1, filter.highPassA.0, filter.highPassA.1))
    return Signal.decibels(shelf * pass)
  }

  /// Gain of the analogue prototypes, in dB: a high shelf and a high-pass of second order.
  private func prototype(_ frequency: Double) -> Double {
    func size(_ ratio: Double, _ top: Double, _ middle: Double, _ bottom: Double) -> Double {
      let real = bottom - top * ratio * ratio
      return (real * real + middle * middle * ratio * ratio).squareRoot()
    }
    let high = Signal.ratio(3.999843853973347)
    let shelf = frequency / 1681.974450955533
    let pass = frequency / 38.13547087602444
    let raised =
      size(shelf, high, pow(high, 0.4996667741545416) / 0.7071752369554196, 1)
      / size(shelf, 1, 1 / 0.7071752369554196, 1)
    return Signal.decibels(raised * pass * pass / size(pass, 1, 1 / 0.5003270373238773, 1))
  }

  /// A rate in Hz with its level against that at 48 kHz, and how far single frequencies may be from
  /// that, in dB.
  ///
  /// The high-pass has the numerator 1, −2, 1 at all rates, as in libebur128, so that its gain depends
  /// on the rate a little. The rest is the bilinear transform's warping of the shelf.
  static let rates: [(rate: Int, level: Double, spread: Double)] = [
    (8_000, 0.216, 0.21), (16_000, 0.087, 0.05), (32_000, 0.022, 0.015), (44_100, 0.004, 0.005),
    (96_000, -0.022, 0.006), (192_000, -0.033, 0.007), (384_000, -0.038, 0.007),
  ]

  @Test(
    "K-weighting up to 1.5 kHz has its 48 kHz shape within 0.21 dB at 8 kHz, 0.05 dB at other rates",
    arguments: Self.rates)
  func responseHasTheShapeOf48kHz(entry: (rate: Int, level: Double, spread: Double)) {
    for frequency in [20, 38, 60, 100, 250, 500, 1000, 1500.0] {
      let difference = level(frequency, rate: entry.rate) - level(frequency, rate: 48_000)
      #expect((difference - entry.level).magnitude < entry.spread, "\(frequency) Hz")
    }
  }

  @Test(
    "K-weighting at 384 kHz is the analogue prototype's from 2 to 20 kHz within 0.005 dB",
    arguments: [2_000, 4_000, 8_000, 12_000, 16_000, 20_000.0])
  func high384kHzResponseIsThatOfThePrototype(frequency: Double) {
    let gain = level(1000, rate: 384_000) - prototype(1000)
    #expect((gain - 0.005).magnitude < 0.002)
    #expect((level(frequency, rate: 384_000) - prototype(frequency) - gain).magnitude < 0.005)
  }

  @Test("a sine of 997 Hz at 0 dBFS reads -3.01 LKFS within 0.05 LU, or 0.3 LU at 8 kHz")
  func toneAt1kHzReadsItsLevelAtEveryRate() throws {
    // A sine of 997 Hz at 0 dBFS in one channel reads −3.01 LKFS (Annex 1).
    for rate in [8_000, 44_100, 48_000, 384_000] {
      let tone = Signal.tone(0, seconds: 2, frequency: 997, rate: rate)
      let format = Signal.format(rate, "mono")
      let loudness = try #require(try Signal.measure([tone], format: format).integrated)
      #expect((loudness + 3.01).magnitude < (rate == 8_000 ? 0.3 : 0.05), "\(rate) Hz")
    }
  }
}
