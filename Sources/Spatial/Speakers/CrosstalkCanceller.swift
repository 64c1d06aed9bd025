import AudioCore
import Platform
import Signal

/// The 2 × 2 filters that bring a binaural signal to the ears from two loudspeakers ahead.
///
/// They invert the head's responses to the loudspeakers, or come close to that for the sake of a head
/// beside the middle (``RobustInverse``), with each singular value's gain held below ``maximumGainDB``
/// (for a symmetric head these are the sum and the difference). Below 150 Hz and
/// above 12 kHz the signal passes plainly, at the level that keeps the bass of a centred sound and
/// the treble's power at the ears; raised-cosine cross-fades over 150…300 Hz and 8…12 kHz. The
/// wavelengths below are too long to be worth the gain, those above too short for any head but
/// the measured one. Low rates bring the upper fade down to 0.7…0.9 of half the rate.
///
/// The filters are cut to ± ``delay`` samples by a Parzen window. Its transform has no negative
/// values, so each frequency's matrix is a mean of designed ones and none can exceed the cap.
struct CrosstalkCanceller: Sendable {
  /// Cap of each singular value's gain, relative to the diffuse-field level at the ears.
  static let maximumGainDB = 7.0

  /// Filters of 2 × ``delay`` + 1 taps by output and input: left to left, right to left, left to
  /// right, right to right.
  let taps: [[Double]]
  /// The tap without delay: 15 ms after the first one.
  let delay: Int
  /// Gain of the plain passage at low frequencies.
  let bassGain: Double

  /// Filters for loudspeakers at ±`span`/2 degrees and the head of `designer`, at `rate` Hz.
  ///
  /// `bandwidth` is the upper limit of the head's measurements in Hz. `room` is the transform's
  /// length in filter lengths, at least 2; what would wrap around in it is below −77 dB.
  init(_ designer: HRIRDesigner, span: Double, rate: Int, bandwidth: Double, room: Int = 4) {
    let delay = max(8, rate * 3 / 200)
    let length = 2 * delay + 1
    let fft = DoubleFFT(length: max(room * length, 2 * (designer.lead + designer.tail + 1)))
    let width = Double(rate) / Double(fft.length)
    let paths = LoudspeakerPaths(designer: designer, span: span, rate: rate, fft: fft)
    let band = PassBand(limit: min(bandwidth, Double(rate) / 2))
    let robust = RobustInverse(paths, width: width, band)
    let head = robust.middle
    let bass = CrosstalkCanceller.bassGain(head, width: width, upTo: band.low.upperBound)
    let treble = CrosstalkCanceller.trebleGain(head, width: width, band.trebleLevel)
    let inverses = robust.matrices()
    let phases = CenterPhase(inverses, width: width, band)
    let design = head.indices.map { bin -> ComplexMatrix in
      let frequency = Double(bin) * width
      let inner = band.share(at: frequency)
      let plain = ComplexMatrix.unit(frequency < band.middle ? bass : treble)
      let turned = phases.taken(from: inverses[bin], bin: bin)
      return phases.given(back: CrosstalkCanceller.mixed(turned, inner, plain), bin: bin)
    }
    self.delay = delay
    bassGain = bass
    taps = CrosstalkCanceller.impulses(design, delay: delay, fft)
  }

  /// `inner` times the capped inverse plus the rest as plain passage, scaled so that no singular
  /// value exceeds the cap.
  private static func mixed(
    _ inverse: ComplexMatrix, _ inner: Double, _ plain: ComplexMatrix
  ) -> ComplexMatrix {
    let cap = pow(10, maximumGainDB / 20)
    return (inner * inverse + (1 - inner) * plain).scaled { $0 > cap ? cap / $0 : 1 }
  }

  /// Gain at which both loudspeakers together give a centred sound its level in the bass.
  private static func bassGain(
    _ head: [ComplexMatrix], width: Double, upTo limit: Double
  ) -> Double {
    let bins = 0...max(1, Int(limit / width))
    let power = bins.reduce(0) { sum, bin in
      sum + ((head[bin].ll + head[bin].lr).power + (head[bin].rl + head[bin].rr).power) / 2
    }
    return 1 / max(1e-3, power / Double(bins.count)).squareRoot()
  }

  /// Gain at which the loudspeakers give uncorrelated treble its power at the ears.
  private static func trebleGain(
    _ head: [ComplexMatrix], width: Double, _ band: ClosedRange<Double>
  ) -> Double {
    let first = min(head.count - 1, Int(band.lowerBound / width))
    let bins = first...min(head.count - 1, max(first, Int(band.upperBound / width)))
    let power = bins.reduce(0) { $0 + head[$1].power / 2 }
    return 1 / max(1e-3, power / Double(bins.count)).squareRoot()
  }

  private static func impulses(
    _ design: [ComplexMatrix], delay: Int, _ fft: DoubleFFT
  ) -> [[Double]] {
    let window = ParzenWindow.values(half: delay)
    return [\ComplexMatrix.ll, \.lr, \.rl, \.rr].map { entry in
      var spectrum = Spectrum(count: design.count)
      for (bin, matrix) in design.enumerated() {
        spectrum.re[bin] = matrix[keyPath: entry].re
        spectrum.im[bin] = matrix[keyPath: entry].im
      }
      let whole = spectrum.signal(fft)
      return window.indices.map { tap in
        window[tap] * whole[(tap - delay + fft.length) % fft.length]
      }
    }
  }
}
