import LibAV
import Platform
import Signal

/// Aligned spectra of grid points at the render rate, worked out when first used.
///
/// A point's entry has three planes for each ear, ``stride`` floats apart: real parts, imaginary parts
/// (that of bin 0 is 0) and the logarithm to base 2 of the magnitude, for the bins 0…``bins`` − 1.
final class GridSpectra {
  /// One point's spectra and what was taken away from its onsets.
  final class Point {
    /// Six planes.
    let planes: AlignedFloats
    /// Onsets at both ears in samples.
    let onsets: SIMD2<Double>

    init(planes: AlignedFloats, onsets: SIMD2<Double>) {
      self.planes = planes
      self.onsets = onsets
    }
  }

  /// Bins of a half spectrum.
  let bins: Int
  /// Floats from plane to plane.
  let stride: Int
  private let designer: HRIRDesigner
  private let fft: DoubleFFT
  private var known: [Point?]

  /// Spectra of `points` grid points for transforms of 2 × `bins` points.
  init(_ designer: HRIRDesigner, points: Int, bins: Int) {
    self.designer = designer
    self.bins = bins
    stride = bins + 16
    fft = DoubleFFT(length: 2 * bins)
    known = [Point?](repeating: nil, count: points)
  }

  /// The entry of a grid point.
  func point(_ index: Int) -> Point {
    if let found = known[index] { return found }
    let (pair, onsets) = designer.pair(ofPoint: index)
    let planes = AlignedFloats(count: 6 * stride)
    var re = pair.left + [Double](repeating: 0, count: fft.length - pair.left.count)
    var im = pair.right + [Double](repeating: 0, count: fft.length - pair.right.count)
    fft.forward(&re, &im)
    for bin in 0..<bins {
      let mirror = (fft.length - bin) % fft.length
      let left = Complex((re[bin] + re[mirror]) / 2, (im[bin] - im[mirror]) / 2)
      let right = Complex((im[bin] + im[mirror]) / 2, (re[mirror] - re[bin]) / 2)
      // Taking the delay away after the designer's window keeps the window where it belongs.
      let step = Double.pi * Double(bin) / Double(bins)
      store(left * .phase(step * onsets.x), planes.base + bin)
      store(right * .phase(step * onsets.y), planes.base + 3 * stride + bin)
    }
    let made = Point(planes: planes, onsets: onsets)
    known[index] = made
    return made
  }

  private func store(_ value: Complex, _ target: UnsafeMutablePointer<Float>) {
    target[0] = Float(value.re)
    target[stride] = Float(value.im)
    target[2 * stride] = Float(
      0.5 * log2(max(1e-24, value.power)))
  }
}
