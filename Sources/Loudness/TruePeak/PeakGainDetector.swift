// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Platform
import Signal

/// Gain each sample would need for no channel to pass the ceiling, between samples included.
///
/// Gains are integers in units of 1/``one``. Three steps, each run only where the one before it
/// leaves a doubt: a bound from the sample peak of a stretch, the interpolator of ITU-R BS.1770-5,
/// Annex 2, and two eightfold ``SincInterpolator``s.
final class PeakGainDetector {
  /// Gain 1.
  static let one: Int64 = 1 << 30
  /// Samples that must be present before and after the stretch asked for.
  static let reach = Int(CK_GAIN_REACH)
  /// Samples are taken in stretches of this length. The peaks of a stretch are looked for in groups of 16,
  /// which is not above ``GainEnvelope/hold``: the gain held for the loudest one serves all.
  static let stretch = Int(CK_GAIN_STRETCH)

  private let ceiling: Float
  private let sharp = SincInterpolator.sharp()
  private let short = SincInterpolator.short()
  /// No peak between samples exceeds the largest sample times this.
  let norm: Float
  private let taps: ck_gain_taps
  private let peaks = Buffer<Float>(0, count: PeakGainDetector.stretch)

  /// A detector for a linear `ceiling` above zero.
  init(ceiling: Float) {
    self.ceiling = ceiling
    norm = max(sharp.largestNorm, short.largestNorm, AnnexTwoInterpolator.largestNorm)
    taps = ck_gain_taps(sharp: sharp.base, brief: short.base, norm: norm)
  }

  /// Whether samples up to `peak` could pass the ceiling between samples.
  func canExceed(_ peak: Float) -> Bool { peak * norm > ceiling }

  /// Finds the gains of samples `start ..< start + count` of `line`; `count` is a multiple of
  /// ``stretch``. `gains` holds ``one`` throughout when called and is written where less is needed.
  /// - Returns: whether any gain is below ``one``.
  func detect(
    in line: AudioBuffer, start: Int, count: Int, into gains: UnsafeMutablePointer<Int64>
  ) -> Bool {
    var isLimiting = false
    for offset in stride(from: 0, to: count, by: PeakGainDetector.stretch)
    where bound(in: line, start: start + offset) > ceiling && writeGains(gains + offset) {
      isLimiting = true
    }
    return isLimiting
  }

  /// A bound for the peaks in the stretch of `line` from `start` on: the largest of them where it is above
  /// the ceiling, and in any case not below what a detector with a higher ceiling finds.
  func bound(in line: AudioBuffer, start: Int) -> Float {
    var bound: Float = 0
    peaks.fill(0)
    for channel in 0..<line.channels {
      guard let base = line.channel(channel).baseAddress else { continue }
      withUnsafePointer(to: taps) {
        bound = max(bound, ck_gain_peaks($0, base + start, ceiling, peaks.base))
      }
    }
    return bound
  }

  private func writeGains(_ gains: UnsafeMutablePointer<Int64>) -> Bool {
    var isLimiting = false
    let peaks = peaks.base
    for index in 0..<PeakGainDetector.stretch where peaks[index] > ceiling {
      // Rounded down, so that rounding never lets a peak through.
      let gain = Double(ceiling) / Double(peaks[index]) * Double(PeakGainDetector.one)
      gains[index] = Int64(gain)
      isLimiting = true
    }
    return isLimiting
  }
}

/// An eightfold interpolator: a windowed sinc, `2 * halfWidth` taps per phase.
final class SincInterpolator {
  /// Samples used from the interval's end on; as many up to its start.
  private let halfWidth: Int
  /// Largest sum of tap magnitudes of a phase: no output exceeds the largest input times this.
  let largestNorm: Float
  /// Taps of the eight phases for each input, oldest input first.
  private let taps: Buffer<SIMD8<Float>>

  /// 64 Kaiser-windowed taps, good to 0.48 of the sample rate.
  static func sharp() -> SincInterpolator {
    let beta = 5.0
    return SincInterpolator(halfWidth: 32, isNormalized: true) { reach in
      Kaiser.bessel(beta * (1 - reach * reach).squareRoot()) / Kaiser.bessel(beta)
    }
  }

  /// 12 Hann-windowed taps, as in the most widely used true-peak meters (libebur128). Near the band
  /// edge such short filters read higher than the signal is.
  static func short() -> SincInterpolator {
    SincInterpolator(halfWidth: Int(CK_BRIEF_TAPS) / 2, isNormalized: false) { reach in
      0.5 + 0.5 * cos(.pi * reach)
    }
  }

  /// Computes the taps from a window over −1…1; `isNormalized` makes each phase pass a constant
  /// unchanged.
  private init(halfWidth: Int, isNormalized: Bool, window: (Double) -> Double) {
    self.halfWidth = halfWidth
    let count = 2 * halfWidth
    taps = Buffer(SIMD8(), count: count)
    var largest = 0.0
    for phase in 0..<8 {
      let values = (0..<count).map { index -> Double in
        let time = Double(phase) / 8 - Double(index - halfWidth + 1)
        let reach = time / Double(halfWidth)
        guard reach.magnitude < 1 else { return 0 }
        return (time == 0 ? 1 : sin(.pi * time) / (.pi * time)) * window(reach)
      }
      let sum = isNormalized ? values.reduce(0, +) : 1
      for (index, value) in values.enumerated() { taps.base[index][phase] = Float(value / sum) }
      largest = max(largest, values.reduce(0) { $0 + ($1 / sum).magnitude })
    }
    largestNorm = Float(largest * 1.0001)
  }

  /// The taps one after the other.
  var base: UnsafePointer<Float> {
    UnsafePointer(UnsafeMutableRawPointer(taps.base).assumingMemoryBound(to: Float.self))
  }
}
