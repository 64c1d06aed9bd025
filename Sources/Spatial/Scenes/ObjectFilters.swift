// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform
import Signal

/// Filters to both ears for any direction, as half spectra: four planes (real and imaginary parts to the
/// left ear, then to the right one), ``stride`` floats apart, with the inverse transform's factor in
/// them. How bin 0 is stored is said at `cc_split`.
final class ObjectFilters {
  /// Bins of a half spectrum.
  let bins: Int
  /// Floats from plane to plane.
  let stride: Int
  private let designer: HRIRDesigner
  private let isSymmetric: Bool
  private let triangles: GridTriangles
  private let spectra: GridSpectra
  private let fft: DoubleFFT
  private var exact: [SIMD3<Double>: Buffer<Float>] = [:]

  /// Exact filters that are kept; all are dropped at the limit, which costs time but changes no output.
  private static let limit = 4096

  /// Filters of `designer`'s responses, made from `hrtf`, for transforms of 2 × `bins` points.
  init(_ designer: HRIRDesigner, _ hrtf: HRTFSet, bins: Int) {
    self.designer = designer
    self.bins = bins
    isSymmetric = hrtf.grid.isSymmetric
    triangles = GridTriangles(hrtf.grid)
    spectra = GridSpectra(designer, triangles, bins: bins)
    stride = spectra.stride
    fft = DoubleFFT(length: 2 * bins)
  }

  /// An empty filter.
  func makeFilter() -> Buffer<Float> { Buffer(aligned: 4 * stride) }

  /// The filters of the designer's responses for `place`, to the last bit those of any other way to
  /// convolve with them.
  func exactFilter(at place: SIMD3<Double>) -> Buffer<Float> {
    if let found = exact[place] { return found }
    let pair = designer.pair(at: place)
    let made = makeFilter()
    store(pair, in: made)
    if exact.count >= ObjectFilters.limit { exact.removeAll() }
    exact[place] = made
    return made
  }

  /// Writes the half spectra of a pair of responses to `filter`.
  func store(_ pair: HRIRDesigner.Pair, in filter: Buffer<Float>) {
    let scale = 1 / Double(fft.length)
    for (ear, taps) in [pair.left, pair.right].enumerated() {
      var re = taps.map { $0 * scale } + [Double](repeating: 0, count: fft.length - taps.count)
      var im = [Double](repeating: 0, count: fft.length)
      fft.forward(&re, &im)
      let target = filter.base + 2 * ear * stride
      for bin in 0..<bins {
        target[bin] = Float(re[bin])
        target[stride + bin] = Float(im[bin])
      }
      target[stride] = Float(re[bins])
    }
  }

  /// Whether the exact filter of `place` was made before.
  func knows(_ place: SIMD3<Double>) -> Bool { exact[place] != nil }

  /// Writes the filters for `place` to `filter`: phase of the aligned sum and mean level of the
  /// nodes around it, delayed to their mean onset.
  func mix(at place: SIMD3<Double>, into filter: Buffer<Float>) {
    _ = mix(at: place, isAligned: false, into: filter)
  }

  /// Writes the filters for `place` without their delays, and without the inverse transform's factor, to
  /// `filter`, and answers the delays, in samples, of the left and the right ear.
  func mixAligned(at place: SIMD3<Double>, into filter: Buffer<Float>) -> SIMD2<Double> {
    mix(at: place, isAligned: true, into: filter)
  }

  /// Writes the filters that `term` (see ``AlignedTerm``) describes to `filter`.
  func finish(_ term: Buffer<Float>, onsets: SIMD2<Double>, into filter: Buffer<Float>) {
    var weight: Float = 1
    for ear in 0..<2 {
      var spectrum: UnsafePointer<Float>? = UnsafePointer(term.base + 3 * ear * stride)
      let turn = turn(onsets[ear])
      cc_mix_aligned(
        bins, stride, 1, &spectrum, &weight, turn.x, turn.y, 1 / Double(2 * bins),
        filter.base + 2 * ear * stride)
    }
  }

  private func mix(
    at place: SIMD3<Double>, isAligned: Bool, into filter: Buffer<Float>
  ) -> SIMD2<Double> {
    var place = place
    let isMirrored = isSymmetric && place.y < 0
    if isMirrored { place.y = -place.y }
    return withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 6) { terms in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 6) { weights in
        var (count, onsets) = collect(triangles.shares(of: place), terms, weights)
        let isMedian = isSymmetric && place.y == 0
        if isMedian {
          // Both ears' responses make one filter, so that both are the same.
          for index in 0..<count {
            weights[index] /= 2
            weights[count + index] = weights[index]
            terms[count + index] = terms[index].map { $0 + 3 * stride }
          }
          count *= 2
          onsets = SIMD2(repeating: (onsets.x + onsets.y) / 2)
        }
        let near = filter.base + (isMirrored ? 2 * stride : 0)
        let far = filter.base + (isMirrored ? 0 : 2 * stride)
        let ears = Mix(terms: terms, weights: weights, count: count, isAligned: isAligned)
        write(ears, onsets.x, to: near)
        if isMedian {
          far.update(from: near, count: 2 * stride)
        } else {
          for index in 0..<count { terms[index] = terms[index].map { $0 + 3 * stride } }
          write(ears, onsets.y, to: far)
        }
        return isMirrored ? SIMD2(onsets.y, onsets.x) : onsets
      }
    }
  }

  /// Fills in the left ear's terms and the weights of `shares`, and answers how many there are and the mean
  /// of their onsets.
  private func collect(
    _ shares: GridTriangles.Shares, _ terms: UnsafeMutableBufferPointer<UnsafePointer<Float>?>,
    _ weights: UnsafeMutableBufferPointer<Float>
  ) -> (count: Int, onsets: SIMD2<Double>) {
    var count = 0
    var onsets = SIMD2<Double>(repeating: 0)
    for index in 0..<3 where shares.weights[index] > 1e-9 {
      let node = spectra.node(shares.nodes[index], of: shares.triangle)
      terms[count] = UnsafePointer(node.term)
      weights[count] = Float(shares.weights[index])
      onsets += shares.weights[index] * node.onsets
      count += 1
    }
    return (count, onsets)
  }

  /// The input of `cc_mix_aligned`.
  private struct Mix {
    var terms: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
    var weights: UnsafeMutableBufferPointer<Float>
    var count: Int
    var isAligned: Bool
  }

  /// Writes one ear's filter with its onset at `onset`.
  private func write(_ mix: Mix, _ onset: Double, to target: UnsafeMutablePointer<Float>) {
    let turn = turn(mix.isAligned ? 0 : onset)
    cc_mix_aligned(
      bins, stride, mix.count, mix.terms.baseAddress, mix.weights.baseAddress, turn.x, turn.y,
      mix.isAligned ? 1 : 1 / Double(2 * bins), target)
  }

  /// Cosine and sine of the phase by which a delay in samples turns from bin to bin.
  private func turn(_ delay: Double) -> SIMD2<Double> {
    let angle = -Double.pi * delay / Double(bins)
    return SIMD2(cos(angle), sin(angle))
  }
}

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
  private var terms: [Buffer<Float>] = []
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
  private func weigh(_ term: Buffer<Float>, like ends: (Node, Node)) {
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

/// The layout of what `cc_mix_aligned` mixes: an aligned half spectrum of each ear as 48 floats for each 16
/// bins: their real parts, their imaginary parts (that of bin 0 is 0) and the logarithms to base 2 of their
/// magnitudes. The right ear's spectrum lies 3 × stride floats after the left one's.
enum AlignedTerm {
  /// Floats from a bin's real part to its imaginary part.
  static let im = 16
  /// Floats from a bin's real part to its level.
  static let level = 32

  /// Room for both ears.
  static func make(stride: Int) -> Buffer<Float> { Buffer(aligned: 6 * stride) }

  /// Index of the real part of a bin.
  static func place(of bin: Int) -> Int { 48 * (bin / 16) + bin % 16 }
}
