import LibAV
import Signal

/// Filter spectra for channel pairs that share one complex transform.
///
/// With x = a + jb, a pair's part of the output l + jr has the spectrum
/// Y[k] = P[k]·X[k] + Q[k]·conj(X[N−k]), where P = (A − jB)/2, Q = (A + jB)/2 and A, B are the
/// transforms of (to left) + j(to right) of both channels.
final class PairedFilters {
  /// Number of channel pairs.
  let pairs: Int
  /// For each group of four bins k = 4g…4g+3 and each pair: P and Q of bins k, then P and Q of
  /// bins N−k, each as four real and four imaginary parts. The inverse transform's 1/N is in it.
  let groups: AlignedFloats
  /// P and Q of bin N/2 for each pair: four floats.
  private(set) var middle: [SIMD4<Float>] = []

  /// Spectra of `length` points for channels with these taps (channel × tap).
  init(left: [[Double]], right: [[Double]], length: Int) {
    pairs = (left.count + 1) / 2
    groups = AlignedFloats(count: length / 8 * pairs * 32)
    let fft = DoubleFFT(length: length)
    for pair in 0..<pairs {
      let first = PairedFilters.transform(left, right, 2 * pair, fft)
      let second = PairedFilters.transform(left, right, 2 * pair + 1, fft)
      let terms = PairedFilters.terms(first, second)
      store(terms, pair: pair, length: length)
      let half = length / 2
      middle.append(SIMD4(terms[0][half], terms[1][half], terms[2][half], terms[3][half]))
    }
  }

  /// Filters from spectra of (to left) + j(to right), one for each channel: `length` real parts,
  /// then as many imaginary ones, the inverse transform's 1/N in them.
  init(spectra: [AlignedFloats], length: Int) {
    pairs = (spectra.count + 1) / 2
    groups = AlignedFloats(count: length / 8 * pairs * 32)
    let silence = AlignedFloats(count: spectra.count % 2 == 0 ? 0 : 2 * length)
    for pair in 0..<pairs {
      let first = spectra[2 * pair].base
      let second = 2 * pair + 1 < spectra.count ? spectra[2 * pair + 1].base : silence.base
      for bin in 0..<length / 2 {
        let base = groups.base + (bin / 4 * pairs + pair) * 32 + bin % 4
        let mirror = (length - bin) & (length - 1)
        let low = PairedFilters.term(first, second, bin, length)
        let high = PairedFilters.term(first, second, mirror, length)
        for plane in 0..<4 {
          base[4 * plane] = low[plane]
          base[16 + 4 * plane] = high[plane]
        }
      }
      middle.append(PairedFilters.term(first, second, length / 2, length))
    }
  }

  /// Real and imaginary part of P, then of Q, at `bin`.
  private static func term(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ bin: Int, _ length: Int
  ) -> SIMD4<Float> {
    let plain = SIMD4<Float>(a[bin], a[length + bin], a[bin], a[length + bin])
    let turned = SIMD4<Float>(b[length + bin], -b[bin], -b[length + bin], b[bin])
    let sum: SIMD4<Float> = plain + turned
    return 0.5 * sum
  }

  private static func transform(
    _ left: [[Double]], _ right: [[Double]], _ channel: Int, _ fft: DoubleFFT
  ) -> (re: [Double], im: [Double]) {
    var re = [Double](repeating: 0, count: fft.length)
    var im = re
    guard channel < left.count else { return (re, im) }
    let scale = 1 / Double(fft.length)
    for tap in left[channel].indices {
      re[tap] = left[channel][tap] * scale
      im[tap] = right[channel][tap] * scale
    }
    fft.forward(&re, &im)
    return (re, im)
  }

  /// P and Q as planes: real and imaginary parts of P, then of Q.
  private static func terms(
    _ a: (re: [Double], im: [Double]), _ b: (re: [Double], im: [Double])
  ) -> [[Float]] {
    var planes = [[Float]](repeating: [], count: 4)
    for bin in a.re.indices {
      planes[0].append(Float(0.5 * (a.re[bin] + b.im[bin])))
      planes[1].append(Float(0.5 * (a.im[bin] - b.re[bin])))
      planes[2].append(Float(0.5 * (a.re[bin] - b.im[bin])))
      planes[3].append(Float(0.5 * (a.im[bin] + b.re[bin])))
    }
    return planes
  }

  private func store(_ terms: [[Float]], pair: Int, length: Int) {
    for bin in 0..<length / 2 {
      let base = groups.base + (bin / 4 * pairs + pair) * 32 + bin % 4
      let mirror = (length - bin) & (length - 1)
      for plane in 0..<4 {
        base[4 * plane] = terms[plane][bin]
        base[16 + 4 * plane] = terms[plane][mirror]
      }
    }
  }
}
