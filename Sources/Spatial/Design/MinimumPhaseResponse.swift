import Platform
import Signal

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
