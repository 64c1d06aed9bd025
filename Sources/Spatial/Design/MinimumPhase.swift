import Platform
import Signal

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
