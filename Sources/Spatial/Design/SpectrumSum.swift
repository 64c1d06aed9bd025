import CConvolution
import LibAV

/// The sum of several spectra, each through a filter of its own, and the two signals it stands for.
final class SpectrumSum {
  /// Both signals, ``PlanarTransform/stride`` floats apart.
  let signals: AlignedFloats
  private let filters: [AlignedFloats]
  private let spectra: [AlignedFloats]
  private let spectrumBases: [UnsafePointer<Float>?]
  private let filterBases: [UnsafePointer<Float>?]
  private let sum: AlignedFloats
  private let fft: PlanarTransform

  /// A sum of `terms`: spectra with the taps of their filters.
  init(_ terms: [(spectrum: AlignedFloats, taps: [Double])], _ fft: PlanarTransform) {
    self.fft = fft
    spectra = terms.map(\.spectrum)
    filters = terms.map { fft.filter($0.taps) }
    spectrumBases = spectra.map { UnsafePointer($0.base) }
    filterBases = filters.map { UnsafePointer($0.base) }
    sum = fft.planes()
    signals = fft.planes()
  }

  /// Computes ``signals`` from what the spectra hold now.
  func update() {
    cc_multiply(
      fft.length, fft.stride, filters.count, spectrumBases, filterBases, sum.base)
    fft.inverse(sum, into: signals)
  }
}
