import Signal

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
