import LibAV
import Platform
import Signal

/// Aligned spectra of grid points, and of the middles between two, at the render rate, worked out when
/// first used.
final class GridSpectra {
  /// One node's spectra and what was taken away from its onsets.
  struct Node {
    /// Both ears' spectra, as ``AlignedTerm`` lays them out; valid as long as ``GridSpectra`` is.
    var term: UnsafeMutablePointer<Float>
    /// Onsets at both ears in samples.
    var onsets: SIMD2<Double>
  }

  /// Bins of a half spectrum.
  let bins: Int
  /// Floats from plane to plane of a filter.
  let stride: Int
  private let triangles: GridTriangles
  private let designer: HRIRDesigner
  private let fft: DoubleFFT
  private var nodes: [Node] = []
  private var terms: [AlignedFloats] = []
  /// Places in ``nodes`` by the points at a node's ends.
  private var known: [SIMD2<Int>: Int] = [:]
  /// Places in ``nodes`` of the six nodes of each triangle; −1 for one that wasn't asked for yet.
  private var places: [Int] = []

  /// Spectra of `triangles`' nodes for transforms of 2 × `bins` points.
  init(_ designer: HRIRDesigner, _ triangles: GridTriangles, bins: Int) {
    self.designer = designer
    self.triangles = triangles
    self.bins = bins
    stride = bins + 16
    fft = DoubleFFT(length: 2 * bins)
  }

  /// A node of a triangle: see ``GridTriangles/Shares``.
  func node(_ node: Int, of triangle: Int) -> Node {
    let slot = 6 * triangle + node
    if slot < places.count, places[slot] >= 0 { return nodes[places[slot]] }
    let missing = 6 * (triangle + 1) - places.count
    if missing > 0 { places += [Int](repeating: -1, count: missing) }
    let place = place(of: triangles.ends(ofNode: node, in: triangle))
    places[slot] = place
    return nodes[place]
  }

  private func place(of ends: SIMD2<Int>) -> Int {
    if let found = known[ends] { return found }
    let isMiddle = ends.x != ends.y
    let around =
      isMiddle
      ? (nodes[place(of: SIMD2(ends.x, ends.x))], nodes[place(of: SIMD2(ends.y, ends.y))]) : nil
    nodes.append(make(ends, around))
    known[ends] = nodes.count - 1
    return nodes.count - 1
  }

  private func make(_ points: SIMD2<Int>, _ ends: (Node, Node)?) -> Node {
    let (pair, onsets) = designer.pair(between: points.x, points.y)
    let term = AlignedTerm.make(stride: stride)
    var re = pair.left + [Double](repeating: 0, count: fft.length - pair.left.count)
    var im = pair.right + [Double](repeating: 0, count: fft.length - pair.right.count)
    fft.forward(&re, &im)
    for bin in 0..<bins {
      let mirror = (fft.length - bin) % fft.length
      let left = Complex((re[bin] + re[mirror]) / 2, (im[bin] - im[mirror]) / 2)
      let right = Complex((im[bin] + im[mirror]) / 2, (re[mirror] - re[bin]) / 2)
      // Taking the delay away after the designer's window keeps the window where it belongs.
      let step = Double.pi * Double(bin) / Double(bins)
      let place = AlignedTerm.place(of: bin)
      GridSpectra.store(left * .phase(step * onsets.x), term.base + place)
      GridSpectra.store(right * .phase(step * onsets.y), term.base + 3 * stride + place)
    }
    if let ends { weigh(term, like: ends) }
    terms.append(term)
    return Node(term: term.base, onsets: onsets)
  }

  private static func store(_ value: Complex, _ target: UnsafeMutablePointer<Float>) {
    target[0] = Float(value.re)
    target[AlignedTerm.im] = Float(value.im)
    target[AlignedTerm.level] = Float(0.5 * log2(max(1e-24, value.power)))
  }

  /// Gives the spectra of a middle the magnitudes that the plain mean of both ends has. They are the weights
  /// of its phases in a mix, and phases of the ends that disagree must weigh as little as in the designer's
  /// own sum.
  private func weigh(_ term: AlignedFloats, like ends: (Node, Node)) {
    for ear in 0..<2 {
      for bin in 0..<bins {
        let place = 3 * ear * stride + AlignedTerm.place(of: bin)
        let (one, other) = (ends.0.term + place, ends.1.term + place)
        let target = term.base + place
        let re = (one[0] + other[0]) / 2
        let im = (one[AlignedTerm.im] + other[AlignedTerm.im]) / 2
        let (x, y) = (target[0], target[AlignedTerm.im])
        let gain = ((re * re + im * im) / max(1e-30, x * x + y * y)).squareRoot()
        target[0] = gain * x
        target[AlignedTerm.im] = gain * y
      }
    }
  }
}
