import AudioCore
import Samples

/// Gain each sample would need for no channel to pass the ceiling, between samples included.
///
/// Gains are integers in units of 1/``one``. Three steps, each run only where the one before it
/// leaves a doubt: a bound from the sample peak of a stretch, the interpolator of ITU-R BS.1770-5,
/// Annex 2, and two eightfold ``SincInterpolator``s.
final class PeakGainDetector {
  /// Gain 1.
  static let one: Int64 = 1 << 30
  /// Samples that must be present before and after the stretch asked for.
  static let reach = 32
  /// Samples are taken in stretches of this length.
  static let stretch = 64
  /// Samples in a group. They lie so close together that the gain held for the loudest one serves
  /// all; not above ``GainEnvelope/hold``.
  private static let group = 16
  /// The sharp interpolators run only where the coarse one reads more than this part (−4.4 dB) of
  /// the ceiling or of the loudest in the group. The coarse one droops by less than that inside the
  /// band that the sharp one passes.
  private static let doubt: Float = 0.6

  private let ceiling: Float
  private let sharp = SincInterpolator.sharp()
  private let short = SincInterpolator.short()
  private let norm: Float
  private let coarse: UnsafeMutablePointer<Float>
  private let peaks: UnsafeMutablePointer<Float>

  /// A detector for a linear `ceiling` above zero.
  init(ceiling: Float) {
    self.ceiling = ceiling
    norm = max(sharp.largestNorm, short.largestNorm, AnnexTwoInterpolator.largestNorm)
    coarse = .allocate(capacity: PeakGainDetector.stretch)
    coarse.initialize(repeating: 0, count: PeakGainDetector.stretch)
    peaks = .allocate(capacity: PeakGainDetector.stretch)
    peaks.initialize(repeating: 0, count: PeakGainDetector.stretch)
  }

  deinit {
    coarse.deallocate()
    peaks.deallocate()
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
    for offset in stride(from: 0, to: count, by: PeakGainDetector.stretch) {
      var isMeasured = false
      for channel in 0..<line.channels {
        guard let base = line.channel(channel).baseAddress else { continue }
        let samples = UnsafePointer(base + start + offset)
        let length = PeakGainDetector.stretch + 2 * PeakGainDetector.reach
        let peak = SampleScan.greatestMagnitude(
          samples - PeakGainDetector.reach, count: length)
        guard canExceed(peak) else { continue }
        if !isMeasured { peaks.update(repeating: 0, count: PeakGainDetector.stretch) }
        measure(samples)
        isMeasured = true
      }
      if isMeasured && writeGains(gains + offset) { isLimiting = true }
    }
    return isLimiting
  }

  /// Merges the peaks of one channel into those of the stretch.
  private func measure(_ samples: UnsafePointer<Float>) {
    // Output i of the coarse filter lies between inputs i − 6 and i − 5.
    AnnexTwoInterpolator.quadruple(samples + 6, count: PeakGainDetector.stretch, into: coarse)
    for start in stride(from: 0, to: PeakGainDetector.stretch, by: PeakGainDetector.group) {
      let group = start..<start + PeakGainDetector.group
      var loudest = mergeCoarse(samples, group)
      for index in group where coarse[index] > loudest * PeakGainDetector.doubt {
        let fine = max(sharp.peak(at: samples + index), short.peak(at: samples + index))
        if fine > peaks[index] { peaks[index] = fine }
        if fine > loudest { loudest = fine }
      }
    }
  }

  /// Merges samples and coarse peaks of a group; leaves this channel's own in `coarse`.
  /// - Returns: the loudest of the group in any channel so far, not below the ceiling.
  private func mergeCoarse(_ samples: UnsafePointer<Float>, _ group: Range<Int>) -> Float {
    var loudest = ceiling
    for index in group {
      let here = samples[index].magnitude
      let next = samples[index + 1].magnitude
      var peak = coarse[index]
      if here > peak { peak = here }
      if next > peak { peak = next }
      coarse[index] = peak
      if peak > peaks[index] { peaks[index] = peak }
      if peaks[index] > loudest { loudest = peaks[index] }
    }
    return loudest
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
