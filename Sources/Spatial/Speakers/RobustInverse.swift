// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The canceller's matrices before its fades: the inverse for a head in the middle, or a compromise
/// with heads beside it.
///
/// Left of the middle, the right loudspeaker's sound comes later and the left one's earlier. If that is
/// a good part of a wavelength, the exact inverse adds to the crosstalk instead of cancelling it.
/// There each head beside the middle counts three times as much as the one in the middle, and some
/// crosstalk comes back for that one. They count from a frequency on, which is as high as the
/// suppression ``wanted`` beside the middle allows, but never so low that the middle gets less than
/// ``least``. Loudspeakers close together keep the exact inverse at all frequencies.
///
/// Suppression is taken before the fades and the window, which leave no more than some 50 dB of it.
struct RobustInverse {
  /// How much louder the wanted ears are than the others, in dB: mean over all bins, or over
  /// octaves where that is lower.
  private struct Suppression {
    let middle: Double
    /// The lower one of both sides.
    let beside: Double
  }

  /// Metres by which the heads beside the middle are off it.
  private static let aside = 0.02
  /// Goal in dB beside the middle: 10 dB, and what the canceller's fades and window take off it.
  private static let wanted = 10.1
  /// Lowest suppression in dB in the middle.
  private static let least = 25.5
  /// How much the heads beside the middle count together; the one in the middle counts 1.
  private static let weight = 6.0
  /// Highest suppression in dB that one bin counts with.
  private static let most = 50.0
  /// Steps in which the frequency is sought from which the heads beside the middle count. As few as that
  /// come out the same at any rate and length of the transform.
  private static let stepsPerOctave = 24.0
  /// Number of steps down to a fifth of the canceller's upper limit.
  private static let steps = 57
  /// How tightly the gain follows 1/σ towards the cap: (σ^p + cap^−p)^(−1/p).
  private static let sharpness = 8.0
  private static let cap = pow(10, CrosstalkCanceller.maximumGainDB / 20)

  /// From loudspeakers (columns) to ears (rows) of the head in the middle, for each bin.
  let middle: [ComplexMatrix]
  /// The inverse of ``middle``, each singular value's gain below the cap.
  let exact: [ComplexMatrix]
  private let beside: [[ComplexMatrix]]
  private let width: Double
  private let band: PassBand
  /// Frequency in Hz at which ``aside`` is half a wavelength between both loudspeakers' ways. There the
  /// heads beside the middle ask for the opposite of what the one in the middle needs.
  private let turned: Double

  /// A design for these paths at `width` Hz per bin.
  init(_ paths: LoudspeakerPaths, width: Double, _ band: PassBand) {
    middle = paths.matrices()
    beside = [RobustInverse.aside, -RobustInverse.aside].map { paths.matrices(aside: $0) }
    exact = middle.map { head in
      head.inverted { sigma in
        RobustInverse.cap
          * pow(
            pow(sigma * RobustInverse.cap, RobustInverse.sharpness) + 1,
            -1 / RobustInverse.sharpness)
      }
    }
    self.width = width
    self.band = band
    let difference = 2 * RobustInverse.aside * sin(paths.span / 2 * .pi / 180)
    turned = Reflection.speed / (2 * difference)
  }

  /// From binaural signals (columns) to loudspeakers (rows), for each bin. Above the canceller's
  /// upper fade they are the exact inverse.
  func matrices() -> [ComplexMatrix] {
    guard suppression(exact).beside < RobustInverse.wanted else { return exact }
    // Up to `few` steps below the upper fade, a head beside the middle gets too little; at `many`
    // it gets enough, or the one in the middle too little.
    var few = 0
    var many = RobustInverse.steps
    while many - few > 1 {
      let tried = (few + many) / 2
      let reached = suppression(compromise(steps: tried))
      if reached.beside < RobustInverse.wanted && reached.middle >= RobustInverse.least {
        few = tried
      } else {
        many = tried
      }
    }
    let found = compromise(steps: many)
    return suppression(found).middle < RobustInverse.least ? compromise(steps: few) : found
  }

  /// Matrices for which the heads beside the middle begin to count `steps` steps below the canceller's
  /// upper fade and count in full an octave above, but less again towards ``turned``.
  private func compromise(steps: Int) -> [ComplexMatrix] {
    var matrices = exact
    let start = band.high.lowerBound * pow(2, -Double(steps) / RobustInverse.stepsPerOctave)
    let last = min(exact.count - 1, Int(band.high.upperBound / width))
    for bin in min(last, Int(start / width))...last {
      let frequency = Double(bin) * width
      let near = max(0, 1 - pow(frequency / turned, 4))
      let share =
        PassBand.rise(frequency, over: start...2 * start) * near * band.share(at: frequency)
      guard share > 0 else { continue }
      var contrast = CrosstalkContrast(middle: middle[bin])
      for head in beside { contrast.add(head[bin], weight: share * RobustInverse.weight / 2) }
      matrices[bin] = contrast.matrix().scaled { sigma in
        pow(
          1 + pow(sigma / RobustInverse.cap, RobustInverse.sharpness), -1 / RobustInverse.sharpness)
      }
    }
    return matrices
  }

  /// Suppression that `matrices` reach in the band in which crosstalk is cancelled.
  private func suppression(_ matrices: [ComplexMatrix]) -> Suppression {
    let reached = ([middle] + beside).map { head in suppression(matrices, head) }
    return Suppression(middle: reached[0], beside: min(reached[1], reached[2]))
  }

  private func suppression(_ matrices: [ComplexMatrix], _ head: [ComplexMatrix]) -> Double {
    var linear = 0.0
    var octaves = 0.0
    var weights = 0.0
    let first = max(1, Int(band.low.upperBound / width))
    let bins = first...max(first, Int(band.high.lowerBound / width))
    for bin in bins {
      let ears = head[bin] * matrices[bin]
      let wanted = ears.ll.power + ears.rr.power
      let gap = min(RobustInverse.most, 10 * log10(wanted / (ears.lr.power + ears.rl.power)))
      linear += gap
      octaves += gap / Double(bin)
      weights += 1 / Double(bin)
    }
    return min(linear / Double(bins.count), octaves / weights)
  }
}

/// The paths of two loudspeakers' sound to the ears of a head, which may sit
/// beside the middle.
struct LoudspeakerPaths {
  /// Metres from each loudspeaker to the middle.
  private static let distance = 1.0

  let designer: HRIRDesigner
  /// Angle in degrees between the loudspeakers as seen from the middle.
  let span: Double
  let rate: Int
  let fft: DoubleFFT

  /// From loudspeakers (columns) to ears (rows) for each bin, the frontal onset at time 0; the head
  /// looks ahead and is `aside` metres left of the middle.
  ///
  /// Beside the middle, each loudspeaker has the delay, the level and the direction of its way to the
  /// middle of the head.
  func matrices(aside: Double = 0) -> [ComplexMatrix] {
    let columns = [1.0, -1].map { side in
      aside == 0 ? spectra(azimuth: side * span / 2) : spectra(side: side, aside: aside)
    }
    return columns[0][0].re.indices.map { bin in
      func entry(_ speaker: Int, _ ear: Int) -> Complex {
        Complex(columns[speaker][ear].re[bin], columns[speaker][ear].im[bin])
      }
      return ComplexMatrix(ll: entry(0, 0), lr: entry(1, 0), rl: entry(0, 1), rr: entry(1, 1))
    }
  }

  /// Left and right ear for the loudspeaker on the left (`side` 1) or right (−1).
  private func spectra(side: Double, aside: Double) -> [Spectrum] {
    let angle = span / 2 * .pi / 180
    let ahead = LoudspeakerPaths.distance * cos(angle)
    let left = LoudspeakerPaths.distance * side * sin(angle) - aside
    let way = (ahead * ahead + left * left).squareRoot()
    let late = (way - LoudspeakerPaths.distance) / Reflection.speed * Double(rate)
    return spectra(
      azimuth: atan2(left, ahead) * 180 / .pi, late: late, gain: LoudspeakerPaths.distance / way)
  }

  /// Left and right ear for sound from `azimuth` degrees, `late` samples late.
  private func spectra(azimuth: Double, late: Double = 0, gain: Double = 1) -> [Spectrum] {
    let pair = designer.pair(for: Direction(azimuth: azimuth))
    return [pair.left, pair.right].map { taps -> Spectrum in
      var spectrum = Spectrum(gain == 1 ? taps : taps.map { $0 * gain }, fft)
      spectrum.shift(by: late - Double(designer.lead))
      return spectrum
    }
  }
}

/// The signals of two loudspeakers that are loud at one ear and quiet at the other, for heads at
/// several places, at one frequency.
///
/// This is acoustic contrast control (Choi and Kim, "Generation of an acoustically bright zone with
/// an illuminated region using multiple sources", JASA 111, 2002) with an ear in place of a zone. With
/// one place the quiet ear hears nothing, and the matrix is the inverse of the head's.
struct CrosstalkContrast {
  /// Power at the left and at the right ear, summed over places: for signals v, v* · power · v.
  private var powers: [ComplexMatrix]
  private let middle: ComplexMatrix

  /// Only the head in the middle.
  init(middle: ComplexMatrix) {
    self.middle = middle
    powers = CrosstalkContrast.powers(middle)
  }

  /// Adds a head at another place, which counts `weight` times what the one in the middle does.
  mutating func add(_ head: ComplexMatrix, weight: Double) {
    let more = CrosstalkContrast.powers(head)
    for ear in 0..<2 { powers[ear] = powers[ear] + weight * more[ear] }
  }

  /// From binaural signals (columns) to loudspeakers (rows): the lowest ratio of the power at the
  /// other ears to that at the wanted ears, and 0 dB without a phase shift at the wanted ear in the middle.
  func matrix() -> ComplexMatrix {
    let left = CrosstalkContrast.quietest(loud: powers[0], quiet: powers[1])
    let right = CrosstalkContrast.quietest(loud: powers[1], quiet: powers[0])
    let toLeft = (middle.ll * left.0 + middle.lr * left.1).reciprocal
    let toRight = (middle.rl * right.0 + middle.rr * right.1).reciprocal
    return ComplexMatrix(
      ll: toLeft * left.0, lr: toRight * right.0, rl: toLeft * left.1, rr: toRight * right.1)
  }

  private static func powers(_ head: ComplexMatrix) -> [ComplexMatrix] {
    [(head.ll, head.lr), (head.rl, head.rr)].map { one, other in
      ComplexMatrix(
        ll: Complex(one.power), lr: one.conjugate * other, rl: other.conjugate * one,
        rr: Complex(other.power))
    }
  }

  /// The signals v ≠ 0 with the lowest ratio of v* · `quiet` · v to v* · `loud` · v.
  ///
  /// The ratio is the smaller root of det(quiet − ratio · loud) = 0, and v solves
  /// (quiet − ratio · loud) · v = 0.
  private static func quietest(loud: ComplexMatrix, quiet: ComplexMatrix) -> (Complex, Complex) {
    let square = loud.ll.re * loud.rr.re - loud.lr.power
    let linear =
      quiet.ll.re * loud.rr.re + quiet.rr.re * loud.ll.re
      - 2 * (quiet.lr.re * loud.lr.re + quiet.lr.im * loud.lr.im)
    let constant = quiet.ll.re * quiet.rr.re - quiet.lr.power
    let root = max(0, linear * linear - 4 * square * constant).squareRoot()
    let ratio = linear + root > 0 ? max(0, 2 * constant / (linear + root)) : 0
    let rest = quiet + (-ratio) * loud
    // Both rows say the same; the larger one says it with more digits.
    if rest.ll.power > rest.rr.power { return (-1 * rest.lr, rest.ll) }
    return (rest.rr, -1 * rest.rl)
  }
}
