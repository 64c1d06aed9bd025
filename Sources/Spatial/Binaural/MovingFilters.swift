import AudioCore
import Platform
import Signal

/// The filters of all main channels for a moving head, one set for each hop of the signal.
///
/// Hops lie at fixed positions, about 10 ms apart. A head at rest has the filters of its exact
/// pose; while it moves they are mixed by ``DirectionSpectra``.
final class MovingFilters {
  /// Samples between two sets of filters: a power of two, 7…12 ms.
  let hop: Int
  /// Points of the filters' transforms.
  let transformLength: Int

  private let trajectory: HeadTrajectory
  private let directions: [Direction]
  private let rate: Int
  private let lead: Int
  private let designer: HRIRDesigner
  private let spectra: DirectionSpectra
  private let mixed: [Buffer<Float>]
  private var last: (state: HeadState, filters: PairedFilters)?

  /// Filters for sources in `directions` of the room, heard by the head of `hrtf` along
  /// `trajectory`.
  init(_ hrtf: HRTFSet, rate: Int, directions: [Direction], trajectory: HeadTrajectory) {
    self.trajectory = trajectory
    self.directions = directions
    self.rate = rate
    designer = HRIRDesigner(hrtf, rate: rate)
    lead = designer.lead
    hop = MovingFilters.hop(rate: rate)
    var length = 2 * hop
    while length < hop + designer.lead + designer.tail { length *= 2 }
    transformLength = length
    spectra = DirectionSpectra(designer, length: length)
    mixed = directions.map { _ in Buffer(aligned: 2 * length) }
  }

  /// Samples from one set of filters to the next at `rate` samples a second: a power of two, 7…12 ms.
  static func hop(rate: Int) -> Int {
    var hop = 64
    while 2 * hop <= rate / 82 { hop *= 2 }
    return hop
  }

  /// The filters at output sample `boundary` × ``hop`` of the convolution, whose output lags the
  /// programme by the responses' lead; the same object again while the head rests.
  func filters(at boundary: Int) -> PairedFilters {
    let state = trajectory.state(at: boundary * hop - lead, rate: rate)
    if let last, last.state == state { return last.filters }
    let filters = state.isResting ? exact(state) : mix(state)
    last = (state, filters)
    return filters
  }

  private func exact(_ state: HeadState) -> PairedFilters {
    let pairs = directions.map { designer.pair(at: state.place(of: $0)) }
    return PairedFilters(
      left: pairs.map(\.left), right: pairs.map(\.right), length: transformLength)
  }

  private func mix(_ state: HeadState) -> PairedFilters {
    for (direction, target) in zip(directions, mixed) {
      spectra.mix(at: state.place(of: direction), into: target)
    }
    return PairedFilters(spectra: mixed, length: transformLength)
  }
}

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
  let groups: Buffer<Float>
  /// P and Q of bin N/2 for each pair: four floats.
  private(set) var middle: [SIMD4<Float>] = []

  /// Spectra of `length` points for channels with these taps (channel × tap).
  init(left: [[Double]], right: [[Double]], length: Int) {
    pairs = (left.count + 1) / 2
    groups = Buffer(aligned: length / 8 * pairs * 32)
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
  init(spectra: [Buffer<Float>], length: Int) {
    pairs = (spectra.count + 1) / 2
    groups = Buffer(aligned: length / 8 * pairs * 32)
    let silence = Buffer(aligned: spectra.count % 2 == 0 ? 0 : 2 * length)
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

/// Filter spectra of any direction for moving sources: designed once for whole degrees of azimuth
/// and elevation, mixed from the four around a direction.
///
/// A degree moves the onset at an ear of an ordinary head by at most 4.5 µs; the mix halfway is then
/// 0.2 dB low at 16 kHz.
final class DirectionSpectra {
  /// Spectra that may be kept, 64 MiB in all. At the limit all are dropped, which costs time but
  /// changes no output.
  private let limit: Int
  private let designer: HRIRDesigner
  private let fft: DoubleFFT
  private var known: [Int: Buffer<Float>] = [:]

  /// Spectra of `length` points of the responses of `designer`.
  init(_ designer: HRIRDesigner, length: Int) {
    self.designer = designer
    fft = DoubleFFT(length: length)
    limit = (64 << 20) / (2 * length * MemoryLayout<Float>.stride)
  }

  /// Writes the spectrum of left + j·right for the direction of `place` to `target`: all real
  /// parts, then all imaginary ones, with the inverse transform's 1/N in it.
  func mix(at place: SIMD3<Double>, into target: Buffer<Float>) {
    target.base.update(repeating: 0, count: target.count)
    for corner in corners(of: place) where corner.weight > 0 {
      let source = spectrum(azimuth: corner.azimuth, elevation: corner.elevation)
      let weight = Float(corner.weight)
      let from = source.base
      let to = target.base
      for index in 0..<target.count { to[index] += weight * from[index] }
    }
  }

  private func corners(
    of place: SIMD3<Double>
  ) -> [(azimuth: Int, elevation: Int, weight: Double)] {
    let degrees = 180 / Double.pi
    let azimuth = atan2(place.y, place.x) * degrees
    let elevation = asin(min(1, max(-1, place.z))) * degrees
    let west = azimuth.rounded(.down)
    let south = min(89, elevation.rounded(.down))
    let across = azimuth - west
    let up = elevation - south
    return [
      (Int(west), Int(south), (1 - across) * (1 - up)),
      (Int(west) + 1, Int(south), across * (1 - up)),
      (Int(west), Int(south) + 1, (1 - across) * up),
      (Int(west) + 1, Int(south) + 1, across * up),
    ]
  }

  private func spectrum(azimuth: Int, elevation: Int) -> Buffer<Float> {
    let turn = elevation.magnitude == 90 ? 0 : (azimuth + 540) % 360 - 180
    let key = (elevation + 90) * 360 + turn + 180
    if let found = known[key] { return found }
    let pair = designer.pair(
      for: .init(azimuth: Double(turn), elevation: Double(elevation)))
    let length = fft.length
    let silence = [Double](repeating: 0, count: length - pair.left.count)
    var re = pair.left.map { $0 / Double(length) } + silence
    var im = pair.right.map { $0 / Double(length) } + silence
    fft.forward(&re, &im)
    let made = Buffer(aligned: 2 * length)
    for bin in 0..<length {
      made.base[bin] = Float(re[bin])
      made.base[length + bin] = Float(im[bin])
    }
    if known.count >= limit { known.removeAll() }
    known[key] = made
    return made
  }
}
