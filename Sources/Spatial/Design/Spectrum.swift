// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// Bins 0…n/2 of the spectrum of a real signal of n samples, in Double.
struct Spectrum: Sendable {
  /// Real parts, n/2 + 1 of them.
  var re: [Double]
  /// Imaginary parts, n/2 + 1 of them.
  var im: [Double]

  /// Number of bins.
  var count: Int { re.count }
  /// Squared magnitude of each bin.
  var powers: [Double] { zip(re, im).map { $0 * $0 + $1 * $1 } }

  /// A spectrum of `count` zero bins.
  init(count: Int) {
    re = [Double](repeating: 0, count: count)
    im = re
  }

  /// The first `count` bins of full transform planes.
  init(re: [Double], im: [Double], count: Int) {
    self.re = Array(re[0..<count])
    self.im = Array(im[0..<count])
  }

  /// The spectrum of `taps` with silence behind them, up to the length of `fft`.
  init(_ taps: [Double], _ fft: DoubleFFT) {
    var re = taps + [Double](repeating: 0, count: fft.length - taps.count)
    var im = [Double](repeating: 0, count: fft.length)
    fft.forward(&re, &im)
    self.init(re: re, im: im, count: fft.length / 2 + 1)
  }

  /// The real signal of `length` ≥ 2 × (count − 1) samples; zero-padding the spectrum resamples.
  ///
  /// Scaled so that a longer signal has the same values at the same times.
  func signal(_ fft: DoubleFFT) -> [Double] {
    let length = fft.length
    let nyquist = count - 1
    let scale = 1 / Double(2 * nyquist)
    var real = [Double](repeating: 0, count: length)
    var imaginary = real
    real[0] = re[0] * scale
    for bin in 1..<nyquist {
      real[bin] = re[bin] * scale
      imaginary[bin] = im[bin] * scale
      real[length - bin] = real[bin]
      imaginary[length - bin] = -imaginary[bin]
    }
    // In a longer transform the Nyquist bin is shared by its positive and its negative frequency.
    let share = length == 2 * nyquist ? scale : scale / 2
    real[nyquist] = re[nyquist] * share
    real[length - nyquist] = re[nyquist] * share
    fft.inverse(&real, &imaginary)
    return real
  }
}

extension Spectrum {
  /// Delays the signal by `samples` (not necessarily whole, negative advances).
  mutating func shift(by samples: Double) {
    let step = -Double.pi * samples / Double(count - 1)
    for bin in re.indices {
      let c = cos(step * Double(bin))
      let s = sin(step * Double(bin))
      let real = re[bin] * c - im[bin] * s
      im[bin] = re[bin] * s + im[bin] * c
      re[bin] = real
    }
  }

  /// Product with another spectrum of as many bins.
  func multiplied(by other: Spectrum) -> Spectrum {
    var product = self
    for bin in re.indices {
      product.re[bin] = re[bin] * other.re[bin] - im[bin] * other.im[bin]
      product.im[bin] = re[bin] * other.im[bin] + im[bin] * other.re[bin]
    }
    return product
  }
}

/// Sub-sample position of the highest cross-correlation of two signals given as spectra.
enum CorrelationPeak {
  /// Samples by which `late` lags `early`; −n/4…3n/4 for transforms of n points.
  static func lag(of late: Spectrum, behind early: Spectrum, _ fft: DoubleFFT) -> Double {
    var cross = late
    for bin in cross.re.indices {
      cross.re[bin] = late.re[bin] * early.re[bin] + late.im[bin] * early.im[bin]
      cross.im[bin] = late.im[bin] * early.re[bin] - late.re[bin] * early.im[bin]
    }
    let correlation = cross.signal(fft)
    var peak = 0
    for index in correlation.indices where correlation[index] > correlation[peak] { peak = index }
    let length = fft.length
    let before = correlation[(peak + length - 1) % length]
    let after = correlation[(peak + 1) % length]
    let bend = before - 2 * correlation[peak] + after
    let start = Double(peak) + (bend < 0 ? 0.5 * (before - after) / bend : 0)
    let refined = refine(cross, from: start)
    return refined > 0.75 * Double(length) ? refined - Double(length) : refined
  }

  /// Newton's method on the band-limited correlation; a parabola alone is some 0.05 samples off.
  private static func refine(_ cross: Spectrum, from start: Double) -> Double {
    let width = Double.pi / Double(cross.count - 1)
    var lag = start
    for _ in 0..<3 {
      var slope = 0.0
      var bend = 0.0
      let turn = Complex.phase(width * lag)
      var phase = Complex(1, 0)
      for bin in 1..<cross.count {
        let omega = width * Double(bin)
        // Turning costs a tenth of sine and cosine, and its error grows with each turn.
        phase = bin % 32 == 0 ? Complex.phase(omega * lag) : phase * turn
        slope -= omega * (cross.re[bin] * phase.im + cross.im[bin] * phase.re)
        bend -= omega * omega * (cross.re[bin] * phase.re - cross.im[bin] * phase.im)
      }
      guard bend < 0 else { return lag }
      let step = -slope / bend
      guard step.magnitude < 1, (lag + step - start).magnitude < 1 else { return lag }
      lag += step
    }
    return lag
  }
}

/// Minimum-phase spectra from magnitudes, by folding the real cepstrum
/// (Oppenheim & Schafer, Discrete-Time Signal Processing, 13.3).
enum MinimumPhase {
  /// The minimum-phase spectrum with these natural-log magnitudes (bins 0…n/2 of `fft`).
  static func spectrum(logMagnitude: [Double], _ fft: DoubleFFT) -> Spectrum {
    let length = fft.length
    let nyquist = length / 2
    let scale = 1 / Double(length)
    var cepstrum = [Double](repeating: 0, count: length)
    for bin in 0...nyquist {
      cepstrum[bin] = logMagnitude[bin] * scale
      if bin > 0 && bin < nyquist { cepstrum[length - bin] = cepstrum[bin] }
    }
    var imaginary = [Double](repeating: 0, count: length)
    fft.inverse(&cepstrum, &imaginary)
    for index in 0..<length {
      imaginary[index] = 0
      if index > nyquist {
        cepstrum[index] = 0
      } else if index > 0 && index < nyquist {
        cepstrum[index] *= 2
      }
    }
    fft.forward(&cepstrum, &imaginary)
    var result = Spectrum(count: nyquist + 1)
    for bin in 0...nyquist {
      let gain = exp(logMagnitude[bin])
      result.re[bin] = gain * cos(imaginary[bin])
      result.im[bin] = gain * sin(imaginary[bin])
    }
    return result
  }
}

/// Impulse responses of minimum phase with wanted gains.
package enum MinimumPhaseResponse {
  /// Transform points for each tap: the logarithm of the gains needs more room than the response.
  private static let oversampling = 8
  /// Part of the response at its end that is faded out.
  private static let fade = 0.125

  /// The response of `taps` samples at `rate` Hz whose gain at f Hz is `gain(f)` dB.
  package static func taps(_ taps: Int, rate: Double, gain: (Double) -> Double) -> [Double] {
    let fft = DoubleFFT(length: max(4096, oversampling * taps))
    let bins = fft.length / 2
    let logs = (0...bins).map { bin in
      gain(Double(bin) * rate / Double(fft.length)) * log(10) / 20
    }
    let spectrum = MinimumPhase.spectrum(logMagnitude: logs, fft)
    var re = [Double](repeating: 0, count: fft.length)
    var im = re
    for bin in 0...bins {
      re[bin] = spectrum.re[bin]
      im[bin] = spectrum.im[bin]
      guard bin > 0, bin < bins else { continue }
      re[fft.length - bin] = spectrum.re[bin]
      im[fft.length - bin] = -spectrum.im[bin]
    }
    fft.inverse(&re, &im)
    let faded = Int(Double(taps) * fade)
    return (0..<taps).map { index in
      let left = taps - index
      let weight =
        left > faded ? 1 : 0.5 - 0.5 * cos(.pi * Double(left) / Double(faded + 1))
      return weight * re[index] / Double(fft.length)
    }
  }
}
