// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

@testable import Spatial

/// A simulated listener in front of two loudspeakers, and what reaches the ears through filters.
struct Listening {
  /// Transform of all spectra.
  let fft: DoubleFFT
  /// From binaural signals (columns) to ears (rows), for each bin; no delay.
  let ears: [ComplexMatrix]
  /// Hz between bins.
  let width: Double

  /// A listener with the head of `hrtf`, `aside` metres left of the middle, 1 m from the middle
  /// between loudspeakers `span` degrees apart as seen from there.
  ///
  /// The way to the middle of the head gives each loudspeaker its delay, 1/r gain and direction.
  init(
    _ canceller: CrosstalkCanceller, _ hrtf: HRTFSet, span: Double, aside: Double = 0,
    rate: Int = 48000
  ) {
    let designer = HRIRDesigner(hrtf, rate: rate)
    let fft = DoubleFFT(length: 8 * canceller.taps[0].count)
    width = Double(rate) / Double(fft.length)
    let filters = Listening.filters(canceller, fft)
    let columns = [1.0, -1].map { side in
      Listening.path(designer, angle: side * span / 2 * .pi / 180, aside, Double(rate), fft)
    }
    ears = filters.indices.map { bin in
      func entry(_ side: Int, _ ear: Int) -> Complex {
        Complex(columns[side][ear].re[bin], columns[side][ear].im[bin])
      }
      let path = ComplexMatrix(
        ll: entry(0, 0), lr: entry(1, 0), rl: entry(0, 1), rr: entry(1, 1))
      return path * filters[bin]
    }
    self.fft = fft
  }

  /// The canceller's own matrices, its delay taken away.
  static func filters(_ canceller: CrosstalkCanceller, _ fft: DoubleFFT) -> [ComplexMatrix] {
    let spectra = canceller.taps.map { taps -> Spectrum in
      var spectrum = Render.spectrum(taps, fft)
      spectrum.shift(by: -Double(canceller.delay))
      return spectrum
    }
    return spectra[0].re.indices.map { bin in
      let entries = spectra.map { Complex($0.re[bin], $0.im[bin]) }
      return ComplexMatrix(ll: entries[0], lr: entries[1], rl: entries[2], rr: entries[3])
    }
  }

  /// Spectra of one loudspeaker at both ears.
  private static func path(
    _ designer: HRIRDesigner, angle: Double, _ aside: Double, _ rate: Double, _ fft: DoubleFFT
  ) -> [Spectrum] {
    let place = (ahead: cos(angle), left: sin(angle) - aside)
    let distance = (place.ahead * place.ahead + place.left * place.left).squareRoot()
    let azimuth = atan2(place.left, place.ahead) * 180 / .pi
    let pair = designer.pair(for: Direction(azimuth: azimuth))
    return [pair.left, pair.right].map { taps in
      var spectrum = Render.spectrum(taps.map { $0 / distance }, fft)
      spectrum.shift(by: (distance - 1) / 343 * rate - Double(designer.lead))
      return spectrum
    }
  }

  /// How much louder the wanted ear is than the other, in dB, 300 Hz…8 kHz: mean of the levels over
  /// all bins, and mean over octaves.
  var suppression: (linear: Double, octaves: Double) {
    var linear = (sum: 0.0, weight: 0.0)
    var octaves = linear
    for bin in Int(300 / width)...Int(8000 / width) {
      let ear = ears[bin]
      let gap = 10 * log10((ear.ll.power + ear.rr.power) / (ear.lr.power + ear.rl.power))
      linear = (linear.sum + gap, linear.weight + 1)
      octaves = (octaves.sum + gap / Double(bin), octaves.weight + 1 / Double(bin))
    }
    return (linear.sum / linear.weight, octaves.sum / octaves.weight)
  }

  /// Levels in dB of thirds of an octave, 100 Hz…16 kHz in sixths, of what `response` says of bins.
  func thirds(_ response: (ComplexMatrix) -> Complex) -> [Double] {
    (0...43).map { step in
      let center = 100 * pow(2, Double(step) / 6)
      let bins = Int(center * 0.891 / width)...Int(center * 1.122 / width)
      let power = bins.reduce(0) { $0 + response(ears[$1]).power }
      return 10 * log10(power / Double(bins.count))
    }
  }

  /// Standard deviation.
  static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }
}
