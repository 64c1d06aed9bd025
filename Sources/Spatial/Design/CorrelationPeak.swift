import Platform
import Signal

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
