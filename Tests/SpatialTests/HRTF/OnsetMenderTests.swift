// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import Testing

@testable import Spatial

/// Onsets of single places that disagree with those around them.
@Suite struct OnsetMenderTests {
  /// An onset in samples at 48 kHz, relative to all other places, at a rate; and whether it is mended.
  struct Outlier: Sendable {
    var late: Double
    var rate: Int
    var isMended: Bool
  }

  /// The least correction is half a sample at 48 kHz.
  static let outliers = [44100, 48000, 96000].flatMap { rate in
    [0.47, -0.47].map { Outlier(late: $0, rate: rate, isMended: false) }
      + [0.53, -0.53].map { Outlier(late: $0, rate: rate, isMended: true) }
  }

  @Test(
    "an onset that is 0.53 samples at 48 kHz late or early is mended at any rate, one of 0.47 samples isn't",
    arguments: outliers)
  func theLeastCorrectionIsHalfASample(outlier: Outlier) throws {
    let late = outlier.late * Double(outlier.rate) / 48000
    let places = UnitVector.lattice(12).map { UnitVector.direction(of: $0) }
    let usual = response(late: 0, rate: outlier.rate)
    let left = [Int](places.indices).map {
      $0 == 6 ? response(late: late, rate: outlier.rate) : usual
    }
    let measurements = HRTFMeasurements(
      sampleRate: outlier.rate, taps: usual.count, directions: places,
      responses: left.flatMap { $0 + usual }, delays: places.flatMap { _ in [0, 0] })
    let hrtf = try HRTFSet(
      id: "outlier", citation: "", measurements: measurements,
      options: HRTFOptions(isSymmetrised: false, isProcessed: false))
    let (found, mended) = (ResponseSynthesiser(hrtf), ResponseSynthesiser(hrtf, mended: true))
    for (index, place) in places.enumerated() {
      let (before, after) = (found.pair(for: place), mended.pair(for: place))
      let wanted = index == 6 && outlier.isMended ? late : 0
      let moved = after.left.delay - before.left.delay
      #expect((moved - wanted).magnitude < 0.02, "place \(index): \(moved) samples")
      #expect(after.right.delay == before.right.delay)
    }
  }

  /// An impulse at tap 64 whose frequencies above 5 kHz are `late` samples late: those below 4 kHz say where an onset is.
  private func response(late: Double, rate: Int) -> [Float] {
    var spectrum = Spectrum(count: 129)
    for bin in 0..<128 {
      let frequency = Double(bin * rate) / 256
      let part = 0.5 - 0.5 * cos(.pi * min(1, max(0, (frequency - 4000) / 2000)))
      let phase = -2 * .pi * Double(bin) / 256 * (64 + late * part)
      (spectrum.re[bin], spectrum.im[bin]) = (cos(phase), sin(phase))
    }
    return spectrum.signal(DoubleFFT(length: 256)).map(Float.init)
  }

  /// The right ear's response at 70°, elevation 10°, has an onset of its own; halfway to its neighbours the
  /// treble would be lost.
  @Test("an outlying onset at 70° bends over 0.4 samples before mending and under 0.2 after")
  func outlyingOnsetsAreMended() throws {
    let hrtf = try HRTFSet.builtIn()
    let bends = [false, true].map { mended -> Double in
      let synthesiser = ResponseSynthesiser(hrtf, mended: mended)
      let onsets = [65.0, 70, 75].map {
        synthesiser.pair(for: Direction(azimuth: $0, elevation: 10)).right.delay
      }
      return (onsets[1] - (onsets[0] + onsets[2]) / 2).magnitude
    }
    #expect(bends[0] > 0.4 && bends[1] < 0.2)
  }
}
