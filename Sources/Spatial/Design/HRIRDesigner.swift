// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Makes head-related impulse responses at the render rate, the frontal onset at tap ``lead``.
final class HRIRDesigner {
  /// Both ears' impulse responses, ``lead`` + 1 + ``tail`` taps each.
  struct Pair: Sendable {
    var left: [Double]
    var right: [Double]
  }

  /// Taps before the frontal onset: 1.5 ms, enough for the nearer ear (0.4 ms early) and the rise
  /// before its onset.
  var lead: Int { tables.lead }
  /// Taps after the frontal onset: 5.3 ms.
  var tail: Int { tables.tail }

  private let synthesiser: ResponseSynthesiser
  private let designs: HRIRDesigns
  private let key: HRIRTables.Key
  private let tables: HRIRTables

  /// A designer for responses of `hrtf` at `rate` Hz; `mended` corrects onsets as
  /// ``ResponseSynthesiser`` says.
  init(_ hrtf: HRTFSet, rate: Int, mended: Bool = false) {
    let synthesiser = ResponseSynthesiser(hrtf, mended: mended)
    self.synthesiser = synthesiser
    designs = hrtf.designs
    key = HRIRTables.Key(rate: rate, mended: mended, delayScale: hrtf.delayScale)
    tables = hrtf.designs.tables.design(for: key) {
      HRIRTables(hrtf, synthesiser, rate: rate)
    }
  }

  /// The impulse responses for `direction`.
  func pair(for direction: Direction) -> Pair { pair(at: UnitVector.of(direction)) }

  /// The impulse responses for the direction of `place` on the unit sphere, delayed by
  /// `delay` samples, 0…1; a longer delay would move them out of the window.
  func pair(at place: SIMD3<Double>, delayedBy delay: Double = 0) -> Pair {
    let pair = synthesiser.pair(at: place)
    return Pair(left: impulse(pair.left, delay), right: impulse(pair.right, delay))
  }

  /// The impulse responses for the direction of `place`, which rests there: all who ask for it share them.
  func sharedPair(at place: SIMD3<Double>) -> Pair {
    designs.pairs.design(for: HRIRDesigns.PairKey(place, key)) { pair(at: place) }
  }

  /// Both ears' impulse responses in the middle between two grid points, which may be the same, and their
  /// onsets' taps, not whole.
  func pair(between one: Int, _ other: Int) -> (pair: Pair, onsets: SIMD2<Double>) {
    let ears = synthesiser.pair(between: one, other)
    let delays =
      SIMD2(ears.left.delay - tables.reference, ears.right.delay - tables.reference)
      / tables.rateRatio
    let pair = Pair(left: impulse(ears.left, 0), right: impulse(ears.right, 0))
    return (pair, delays + Double(lead))
  }

  /// Magnitude of the frontal response at `frequency` Hz, mean of both ears' powers.
  func frontalGain(at frequency: Double) -> Double {
    let front = sharedPair(at: UnitVector.of(Direction(azimuth: 0)))
    let omega = 2 * Double.pi * frequency * tables.rateRatio / Double(synthesiser.sourceRate)
    let power = [front.left, front.right].reduce(0) { sum, taps -> Double in
      var re = 0.0
      var im = 0.0
      for (index, tap) in taps.enumerated() {
        re += tap * cos(omega * Double(index))
        im += tap * sin(omega * Double(index))
      }
      return sum + re * re + im * im
    }
    return (power / 2).squareRoot()
  }

  private func impulse(_ response: AlignedResponse, _ delay: Double) -> [Double] {
    var spectrum = response.spectrum
    for bin in tables.taper.indices {
      spectrum.re[bin] *= tables.taper[bin]
      spectrum.im[bin] *= tables.taper[bin]
    }
    spectrum.shift(by: response.delay - tables.reference + delay * tables.rateRatio)
    let taps = tables.reader.read(spectrum.signal(tables.doubled))
    return zip(taps, tables.window).map { $0 * $1 * tables.rateRatio }
  }

  /// Raised-cosine edges: 0.3 ms in, 1.2 ms out.
  static func window(rate: Int, count: Int) -> [Double] {
    let rise = max(1, rate * 3 / 10000)
    let fall = max(1, rate * 12 / 10000)
    return (0..<count).map { index in
      let into = min(1, Double(index + 1) / Double(rise + 1))
      let outOf = min(1, Double(count - index) / Double(fall + 1))
      return (0.5 - 0.5 * cos(.pi * into)) * (0.5 - 0.5 * cos(.pi * outOf))
    }
  }
}

/// Reads a signal, sampled twice as fast as its band needs, at other times: the weights are the
/// same for every response and so are worked out once.
struct SincTable: Sendable {
  /// Samples on each side of a wanted time. At twofold oversampling this leaves images < −120 dB.
  private static let reach = 12
  /// Shape of the Kaiser window over ``reach`` samples on each side.
  private static let beta = 14.0

  private let starts: [Int]
  private let weights: [Double]

  /// Weights for `times`, in samples of the signal (may be negative: the signal is periodic).
  init(times: [Double]) {
    let reach = SincTable.reach
    let norm = 1 / Kaiser.bessel(SincTable.beta)
    var weights: [Double] = []
    weights.reserveCapacity(times.count * 2 * reach)
    starts = times.map { Int($0.rounded(.down)) - reach + 1 }
    for (time, start) in zip(times, starts) {
      for offset in 0..<2 * reach {
        let x = time - Double(start + offset)
        let inside = max(0, 1 - (x / Double(reach)) * (x / Double(reach)))
        let sinc = x.magnitude < 1e-12 ? 1 : sin(.pi * x) / (.pi * x)
        weights.append(sinc * norm * Kaiser.bessel(SincTable.beta * inside.squareRoot()))
      }
    }
    self.weights = weights
  }

  /// The values of the periodic `signal` (a power of two long) at the table's times.
  func read(_ signal: [Double]) -> [Double] {
    let mask = signal.count - 1
    let width = 2 * SincTable.reach
    return starts.indices.map { index in
      var sum = 0.0
      for offset in 0..<width {
        sum += weights[index * width + offset] * signal[(starts[index] + offset) & mask]
      }
      return sum
    }
  }
}
