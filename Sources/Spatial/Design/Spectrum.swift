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
