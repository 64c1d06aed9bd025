// SPDX-License-Identifier: Apache-2.0
import CKernels
import Signal

/// A complex transform of planar signals: a spectrum is ``stride`` real parts, of which the first
/// ``length`` count, then the imaginary ones.
///
/// Two real signals share it as real and imaginary part; filters with real taps don't mix them.
final class PlanarTransform {
  /// Points, a power of two of at least 128.
  let length: Int
  /// Floats from a real part to its imaginary one. Planes a multiple of 4096 bytes apart would
  /// compete for the same cache lines.
  let stride: Int

  private let table: Buffer<Float>
  private let work: Buffer<Float>
  private let preciseTable: Buffer<Float>
  private let preciseWork: Buffer<Float>

  /// A transform of `length` points.
  init(length: Int) {
    self.length = length
    stride = length + 16
    table = Buffer(aligned: cc_table_size(length))
    work = Buffer(aligned: cc_work_size(length))
    // A double is as large as two floats.
    preciseTable = Buffer(aligned: 2 * cc_table_size(length))
    preciseWork = Buffer(aligned: 2 * cc_work_size(length))
    cc_make_table(length, table.base)
    cc_make_precise_table(length, PlanarTransform.doubles(preciseTable))
  }

  /// An empty spectrum or a pair of empty signals.
  func planes() -> Buffer<Float> { Buffer(aligned: 2 * stride) }

  /// The spectrum of `taps`, at most ``length``, with the inverse transform's 1/N in it.
  func filter(_ taps: [Double]) -> Buffer<Float> {
    let design = DoubleFFT(length: length)
    var re = taps.map { $0 / Double(length) }
    re += [Double](repeating: 0, count: length - taps.count)
    var im = [Double](repeating: 0, count: length)
    design.forward(&re, &im)
    let spectrum = planes()
    for bin in 0..<length {
      spectrum.base[bin] = Float(re[bin])
      spectrum.base[stride + bin] = Float(im[bin])
    }
    return spectrum
  }

  /// The spectrum of `re` + j `im`, ``length`` samples each, 32-byte aligned.
  func forward(
    _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, into spectrum: Buffer<Float>
  ) {
    cc_transform(
      length, table.base, work.base, re, im, spectrum.base, spectrum.base + stride)
  }

  /// Both signals of `spectrum`, unscaled.
  ///
  /// The transform has double precision: a rendering needs few inverse transforms, and in single
  /// precision they would make half of all rounding errors.
  func inverse(_ spectrum: Buffer<Float>, into signals: Buffer<Float>) {
    cc_transform_precisely(
      length, PlanarTransform.doubles(preciseTable), PlanarTransform.doubles(preciseWork),
      spectrum.base + stride, spectrum.base, signals.base + stride, signals.base)
  }

  private static func doubles(_ block: Buffer<Float>) -> UnsafeMutablePointer<Double> {
    UnsafeMutableRawPointer(block.base).assumingMemoryBound(to: Double.self)
  }
}

/// The sum of several spectra, each through a filter of its own, and the two signals it stands for.
final class SpectrumSum {
  /// Both signals, ``PlanarTransform/stride`` floats apart.
  let signals: Buffer<Float>
  private let filters: [Buffer<Float>]
  private let spectra: [Buffer<Float>]
  private let spectrumBases: [UnsafePointer<Float>?]
  private let filterBases: [UnsafePointer<Float>?]
  private let sum: Buffer<Float>
  private let fft: PlanarTransform

  /// A sum of `terms`: spectra with the taps of their filters.
  init(_ terms: [(spectrum: Buffer<Float>, taps: [Double])], _ fft: PlanarTransform) {
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
