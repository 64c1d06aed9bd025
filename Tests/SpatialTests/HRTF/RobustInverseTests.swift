// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The compromise between a head in the middle and heads beside it.
@Suite struct RobustInverseTests {
  private static let heads = [
    ComplexMatrix(
      ll: Complex(1, 0.5), lr: Complex(-0.3, 0.2), rl: Complex(0.4, -0.9), rr: Complex(0.2, 0.1)),
    ComplexMatrix(
      ll: Complex(0.8, -0.4), lr: Complex(0.3, 0.1), rl: Complex(0.1, -0.7), rr: Complex(0.9, 0.6)),
  ]

  private func paths(_ hrtf: HRTFSet, span: Double) -> LoudspeakerPaths {
    let designer = HRIRDesigner(hrtf, rate: 48000)
    return LoudspeakerPaths(
      designer: designer, span: span, rate: 48000, fft: DoubleFFT(length: 8192))
  }

  /// Power at the other ear divided by that at the wanted one, for signals in the left (0) or the right
  /// (1) column.
  private func ratio(_ signals: (Complex, Complex), column: Int, weight: Double) -> Double {
    var powers = [0.0, 0.0]
    for (head, weight) in zip(RobustInverseTests.heads, [1, weight]) {
      powers[0] += weight * (head.ll * signals.0 + head.lr * signals.1).power
      powers[1] += weight * (head.rl * signals.0 + head.rr * signals.1).power
    }
    return powers[1 - column] / powers[column]
  }

  @Test(
    "the contrast's signals leave within 1 % of the least power at the other ear of a full search",
    arguments: [0.1, 1, 30])
  func noSignalsAreQuieterAtTheOtherEar(weight: Double) {
    var contrast = CrosstalkContrast(middle: RobustInverseTests.heads[0])
    contrast.add(RobustInverseTests.heads[1], weight: weight)
    let found = contrast.matrix()
    for (column, signals) in [(found.ll, found.rl), (found.lr, found.rr)].enumerated() {
      let reached = ratio(signals, column: column, weight: weight)
      var best = Double.infinity
      for step in 0...400 {
        for turn in 0..<400 {
          let part = Double(step) / 400 * .pi / 2
          let other = Complex.phase(Double(turn) / 200 * .pi)
          let tried = (Complex(cos(part)), sin(part) * other)
          best = min(best, ratio(tried, column: column, weight: weight))
        }
      }
      #expect(reached <= best + 1e-12)
      #expect(reached >= best * 0.99)
    }
  }

  @Test("the contrast of one head is its inverse within 1e-12")
  func oneHeadIsInverted() {
    let head = RobustInverseTests.heads[0]
    let ears = head * CrosstalkContrast(middle: head).matrix()
    #expect((ears.ll.re - 1).magnitude < 1e-12 && ears.lr.power < 1e-24)
    #expect((ears.rr.re - 1).magnitude < 1e-12 && ears.rl.power < 1e-24)
  }

  /// If heads beside the middle hear little crosstalk anyway, the middle gives nothing away.
  @Test(
    "spans of 10° and 20° keep the exact inverse, and 40° and 60° don't", arguments: TestedSet.here)
  func closeLoudspeakersKeepTheExactInverse(set: TestedSet) throws {
    let hrtf = try set.load()
    for (span, isExact) in [(10.0, true), (20, true), (40, false), (60, false)] {
      let robust = RobustInverse(
        paths(hrtf, span: span), width: 48000 / 8192, PassBand(limit: 22050))
      let away = zip(robust.matrices(), robust.exact).map { ($0 + -1 * $1).power }.max() ?? 0
      #expect(isExact == (away == 0), "span \(span): \(away)")
    }
  }

  /// The reach of filters made only for heads 2 cm left and right of the middle, which no
  /// canceller exceeds that treats both sides alike.
  @Test(
    "the canceller 2 cm aside doesn't exceed filters made for there, which reach more than 10 dB",
    arguments: TestedSet.here)
  func theGoalBesideTheMiddleIsCloseToWhatIsPossible(set: TestedSet) throws {
    let hrtf = try set.load()
    for span in [30.0, 35, 40, 60] {
      let paths = paths(hrtf, span: span)
      let heads = [0, 0.02, -0.02].map { paths.matrices(aside: $0) }
      var sum = 0.0
      let bins = Int(300.0 * 8192 / 48000)...Int(8000.0 * 8192 / 48000)
      for bin in bins {
        var contrast = CrosstalkContrast(middle: heads[0][bin])
        for head in heads[1...] { contrast.add(head[bin], weight: 1e9) }
        let ears = heads[1][bin] * contrast.matrix()
        sum += 10 * log10((ears.ll.power + ears.rr.power) / (ears.lr.power + ears.rl.power))
      }
      let possible = sum / Double(bins.count)
      let filters = CrosstalkCanceller(
        paths.designer, span: span, rate: 48000, bandwidth: Double(hrtf.sourceRate) / 2)
      let reached = Listening(filters, hrtf, span: span, aside: 0.02).suppression.linear
      #expect(
        possible > 10 && reached < possible + 0.05, "span \(span): \(reached), \(possible) dB")
    }
  }
}
