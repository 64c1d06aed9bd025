import Platform

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
