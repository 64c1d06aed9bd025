import LibAV
import Platform
import Signal

/// Aligned spectra of grid points, and of the middles between two, at the render rate, worked out when
/// first used.
///
/// A node's entry has three planes for each ear, ``stride`` floats apart: real parts, imaginary parts
/// (that of bin 0 is 0) and the logarithm to base 2 of the magnitude, for the bins 0…``bins`` − 1.
final class GridSpectra {
  /// One node's spectra and what was taken away from its onsets.
  final class Node {
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
  private var known: [SIMD2<Int>: Node] = [:]

  /// Spectra for transforms of 2 × `bins` points.
  init(_ designer: HRIRDesigner, bins: Int) {
    self.designer = designer
    self.bins = bins
    stride = bins + 16
    fft = DoubleFFT(length: 2 * bins)
  }

  /// The entry of a node of a triangle.
  func node(_ index: Int, of triangle: GridTriangles.Triangle) -> Node {
    if let found = triangle.nodes[index] { return found }
    let corners = triangle.corners
    let (one, other) =
      index < 3
      ? (corners[index], corners[index]) : (corners[index - 3], corners[(index - 2) % 3])
    let key = SIMD2(min(one, other), max(one, other))
    let ends =
      index < 3
      ? nil : (node(index - 3, of: triangle), node((index - 2) % 3, of: triangle))
    let found = known[key] ?? make(key, ends)
    known[key] = found
    triangle.nodes[index] = found
    return found
  }

  private func make(_ points: SIMD2<Int>, _ ends: (Node, Node)?) -> Node {
    let (pair, onsets) = designer.pair(between: points.x, points.y)
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
    if let ends { weigh(planes, like: ends) }
    return Node(planes: planes, onsets: onsets)
  }

  private func store(_ value: Complex, _ target: UnsafeMutablePointer<Float>) {
    target[0] = Float(value.re)
    target[stride] = Float(value.im)
    target[2 * stride] = Float(
      0.5 * log2(max(1e-24, value.power)))
  }

  /// Gives the spectra of a middle the magnitudes that the plain mean of both ends has. They are the weights
  /// of its phases in a mix, and phases of the ends that disagree must weigh as little as in the designer's
  /// own sum.
  private func weigh(_ planes: AlignedFloats, like ends: (Node, Node)) {
    let (one, other) = (ends.0.planes.base, ends.1.planes.base)
    for ear in 0..<2 {
      for bin in 3 * ear * stride..<3 * ear * stride + bins {
        let re = (one[bin] + other[bin]) / 2
        let im = (one[bin + stride] + other[bin + stride]) / 2
        let x = planes.base[bin]
        let y = planes.base[bin + stride]
        let gain = ((re * re + im * im) / max(1e-30, x * x + y * y)).squareRoot()
        planes.base[bin] = gain * x
        planes.base[bin + stride] = gain * y
      }
    }
  }
}
