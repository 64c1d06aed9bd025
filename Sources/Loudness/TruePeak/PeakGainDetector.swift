import AudioCore
import CKernels

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
  private let peaks: UnsafeMutablePointer<Float>

  /// A detector for a linear `ceiling` above zero.
  init(ceiling: Float) {
    self.ceiling = ceiling
    norm = max(sharp.largestNorm, short.largestNorm, AnnexTwoInterpolator.largestNorm)
    taps = ck_gain_taps(sharp: sharp.base, brief: short.base, norm: norm)
    peaks = .allocate(capacity: PeakGainDetector.stretch)
    peaks.initialize(repeating: 0, count: PeakGainDetector.stretch)
  }

  deinit { peaks.deallocate() }

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
    peaks.update(repeating: 0, count: PeakGainDetector.stretch)
    for channel in 0..<line.channels {
      guard let base = line.channel(channel).baseAddress else { continue }
      withUnsafePointer(to: taps) {
        bound = max(bound, ck_gain_peaks($0, base + start, ceiling, peaks))
      }
    }
    return bound
  }

  private func writeGains(_ gains: UnsafeMutablePointer<Int64>) -> Bool {
    var isLimiting = false
    for index in 0..<PeakGainDetector.stretch where peaks[index] > ceiling {
      // Rounded down, so that rounding never lets a peak through.
      let gain = Double(ceiling) / Double(peaks[index]) * Double(PeakGainDetector.one)
      gains[index] = Int64(gain)
      isLimiting = true
    }
    return isLimiting
  }
}
