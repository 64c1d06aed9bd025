// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport

@testable import Spatial

/// How far interpolated responses are from those of the places themselves.
struct InterpolationErrors {
  /// Magnitudes of the errors of interaural delays, µs.
  private(set) var itd: [Double] = []
  /// Magnitudes of the errors of interaural levels in thirds of an octave, dB.
  private(set) var ild: [Double] = []
  /// Magnitudes of the errors of both ears' levels in thirds of an octave, dB.
  private(set) var spectrum: [Double] = []
  /// Errors of both ears' levels at 11.5…13.8 kHz, dB.
  private(set) var treble: [Double] = []

  /// Notes what sets `guess` apart from `truth`, both at 48 kHz.
  mutating func compare(_ guess: HRIRDesigner.Pair, _ truth: HRIRDesigner.Pair) {
    itd.append(
      (InterpolationErrors.interauralDelay(guess) - InterpolationErrors.interauralDelay(truth))
        .magnitude)
    for step in 0...36 {
      let center = 250 * pow(2, Double(step) / 6)
      let leftGap = band(guess.left, center) - band(truth.left, center)
      let rightGap = band(guess.right, center) - band(truth.right, center)
      ild.append((leftGap - rightGap).magnitude)
      spectrum.append(leftGap.magnitude)
      spectrum.append(rightGap.magnitude)
    }
    for step in 0..<20 {
      let frequency = 11500 + 120 * Double(step)
      for (one, other) in [(guess.left, truth.left), (guess.right, truth.right)] {
        let gain =
          Render.power(one, at: frequency, rate: 48000)
          / Render.power(other, at: frequency, rate: 48000)
        treble.append(10 * log10(gain))
      }
    }
  }

  /// The figures of the table of quality goals by their names there.
  var figures: [(metric: String, figure: Double)] {
    [
      ("ITD, median", rank(itd, 0.5)), ("ITD, 95 %", rank(itd, 0.95)), ("ILD, mean", mean(ild)),
      ("ILD, 95 %", rank(ild, 0.95)), ("spectrum, mean", mean(spectrum)),
      ("spectrum, 95 %", rank(spectrum, 0.95)), ("bias at 12.7 kHz", mean(treble)),
    ]
  }

  /// Hands the figures of the set of this name to the table and answers which magnitudes are above `limits`, in
  /// the order of ``figures``.
  func record(_ set: String, limits: [Double]) -> [String] {
    for (metric, figure) in figures {
      QualityRecord.add("held-out " + metric, set, figure)
    }
    return zip(figures, limits).filter { $0.figure.magnitude > $1 }
      .map { "\($0.metric): \($0.figure), more than \($1)" }
  }

  /// Interaural delay in microseconds: peak of the interaural cross-correlation below 3 kHz
  /// (Katz & Noisternig, JASA 135, 2014), or below another `edge` in Hz.
  static func interauralDelay(_ pair: HRIRDesigner.Pair, below edge: Double = 3000) -> Double {
    let fft = DoubleFFT(length: 1024)
    let ears = [pair.left, pair.right].map { taps -> Spectrum in
      var spectrum = Render.spectrum(taps, fft)
      for bin in spectrum.re.indices {
        let gain = (1 + pow(Double(bin) * 48000 / 1024 / edge, 8)).squareRoot()
        spectrum.re[bin] /= gain
        spectrum.im[bin] /= gain
      }
      return spectrum
    }
    return CorrelationPeak.lag(of: ears[1], behind: ears[0], fft) / 48000 * 1e6
  }

  /// Level in dB of a third of an octave around `center` Hz.
  private func band(_ taps: [Double], _ center: Double) -> Double {
    var sum = 0.0
    for step in -4...4 {
      sum += Render.power(taps, at: center * pow(2, Double(step) / 24), rate: 48000)
    }
    return 10 * log10(sum / 9)
  }

  private func rank(_ values: [Double], _ part: Double) -> Double {
    values.sorted()[min(values.count - 1, Int(part * Double(values.count)))]
  }

  private func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }
}

extension HRTFMeasurements {
  /// All but the measurements `gone`.
  func without(_ gone: Set<Int>) -> HRTFMeasurements {
    let kept = directions.indices.filter { !gone.contains($0) }
    return HRTFMeasurements(
      sampleRate: sampleRate, taps: taps, directions: kept.map { directions[$0] },
      responses: kept.flatMap {
        responses[offset($0, ear: 0)..<offset($0, ear: 0) + 2 * taps]
      },
      delays: kept.flatMap { delays[2 * $0...2 * $0 + 1] })
  }
}
