// SPDX-License-Identifier: Apache-2.0
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

/// The phase that the inverse gives a centred sound, and how it returns to zero over the upper
/// fade.
///
/// A cross-fade between signals of different phases would cut a notch. So the phase is removed from
/// the inverse before it is mixed with the plain passage, and a decreasing part of it is put back
/// afterwards. Both loudspeakers get the same shift, so the crosstalk stays cancelled.
struct CenterPhase: Sendable {
  /// Phase to remove from each bin's inverse, in radians.
  private let taken: [Double]
  /// Phase to put back into each bin's mixture, in radians.
  private let given: [Double]

  /// Follows the phase of `inverses` (`width` Hz per bin) through the upper fade of `band`.
  init(_ inverses: [ComplexMatrix], width: Double, _ band: PassBand) {
    let first = min(inverses.count - 1, Int(band.high.lowerBound / width))
    var taken = [Double](repeating: 0, count: inverses.count)
    for bin in first..<inverses.count {
      let matrix = inverses[bin]
      let center = matrix.ll + matrix.lr + matrix.rl + matrix.rr
      let phase = atan2(center.im, center.re)
      let before = bin > first ? taken[bin - 1] : phase
      let turns = ((before - phase) / (2 * .pi)).rounded()
      taken[bin] = phase + 2 * .pi * turns
    }
    let middle = (band.high.lowerBound + band.high.upperBound) / 2
    // A whole number of turns is no phase shift, so the phase fades to the nearest such number.
    let end =
      (taken[min(inverses.count - 1, Int(middle / width))] / (2 * .pi)).rounded() * 2 * .pi
    var given = taken
    for bin in first..<inverses.count {
      given[bin] = end + (taken[bin] - end) * band.share(at: Double(bin) * width)
    }
    self.taken = taken
    self.given = given
  }

  /// `inverse` of `bin` without its phase.
  func taken(from inverse: ComplexMatrix, bin: Int) -> ComplexMatrix {
    inverse.turned(by: -taken[bin])
  }

  /// `mixture` of `bin` with the part of the phase that remains there.
  func given(back mixture: ComplexMatrix, bin: Int) -> ComplexMatrix {
    mixture.turned(by: given[bin])
  }
}

/// The band in which crosstalk is cancelled, with its fades to plain passage at both ends.
struct PassBand: Sendable {
  /// Hz over which it fades in.
  let low = 150.0...300.0
  /// Hz over which it fades out.
  let high: ClosedRange<Double>
  /// Hz over which the treble's level is taken.
  let trebleLevel: ClosedRange<Double>
  /// A frequency between both fades.
  var middle: Double { (low.upperBound * high.lowerBound).squareRoot() }

  /// The band below `limit` Hz: half the rate, or the highest frequency of the measurements.
  init(limit: Double) {
    high = min(8000, 0.7 * limit)...min(12000, 0.9 * limit)
    trebleLevel = high.lowerBound...min(16000, 0.85 * limit)
  }

  /// 1 where crosstalk is cancelled, 0 where the signal passes plainly.
  func share(at frequency: Double) -> Double {
    PassBand.rise(frequency, over: low) * (1 - PassBand.rise(frequency, over: high))
  }

  /// Raised cosine in octaves.
  static func rise(_ frequency: Double, over range: ClosedRange<Double>) -> Double {
    if frequency <= range.lowerBound { return 0 }
    if frequency >= range.upperBound { return 1 }
    let part = log(frequency / range.lowerBound) / log(range.upperBound / range.lowerBound)
    return 0.5 - 0.5 * cos(.pi * part)
  }
}

/// The window of E. Parzen (1961): four box functions convolved, hence a transform without
/// negative values.
enum ParzenWindow {
  /// 2 × `half` + 1 values, 1 in the middle.
  static func values(half: Int) -> [Double] {
    (-half...half).map { index in
      let x = Double(index.magnitude) / Double(half + 1)
      return x < 0.5 ? 1 - 6 * x * x + 6 * x * x * x : 2 * (1 - x) * (1 - x) * (1 - x)
    }
  }
}

/// Convolves pairs of ear filters with a crosstalk canceller's four filters, by transforms in
/// Double.
final class FilterCombiner {
  private let fft: DoubleFFT
  private let spectra: [Spectrum]
  private let length: Int

  /// A combiner for pairs of `pairLength` taps.
  init(_ canceller: CrosstalkCanceller, pairLength: Int) {
    length = pairLength + 2 * canceller.delay
    let fft = DoubleFFT(length: length)
    self.fft = fft
    spectra = canceller.taps.map { Spectrum($0, fft) }
  }

  /// The filters to both loudspeakers, of all taps of the convolution.
  func speakers(for ears: HRIRDesigner.Pair) -> HRIRDesigner.Pair {
    let left = Spectrum(ears.left, fft)
    let right = Spectrum(ears.right, fft)
    return HRIRDesigner.Pair(
      left: sum(left, spectra[0], right, spectra[1]),
      right: sum(left, spectra[2], right, spectra[3]))
  }

  private func sum(_ a: Spectrum, _ first: Spectrum, _ b: Spectrum, _ second: Spectrum) -> [Double]
  {
    var total = a.multiplied(by: first)
    let other = b.multiplied(by: second)
    for bin in total.re.indices {
      total.re[bin] += other.re[bin]
      total.im[bin] += other.im[bin]
    }
    return Array(total.signal(fft)[0..<length])
  }
}
