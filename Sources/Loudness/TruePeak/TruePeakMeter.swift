// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Signal

/// True peak and sample peak of one channel (ITU-R BS.1770-5, Annex 2).
///
/// Oversamples four times up to 96 kHz, twice up to 192 kHz and takes the samples themselves above.
/// A stretch whose samples can't interpolate past the peak found so far is skipped; the result is
/// the same with or without skipping, and for any cut of the input.
final class TruePeakMeter {
  /// Largest sample magnitude so far (linear).
  private(set) var samplePeak: Float = 0
  /// Largest magnitude of the samples that were added last (linear).
  private(set) var latestPeak: Float = 0
  /// Largest interpolated magnitude so far (linear), never below ``samplePeak``.
  var truePeak: Float { peaks.between }

  /// The last `step` that held a new largest magnitude.
  private(set) var peakStep = 0

  /// Phases of the interpolator in use: 4, 2 or none.
  private let phases: Int32
  private var peaks = ck_peaks(sample: 0, between: 0)
  private let history = Buffer<Float>(0, count: Int(CK_TRUE_PEAK_HISTORY))

  /// A meter for samples at `sampleRate` Hz; without `interpolates` it finds sample peaks only.
  init(sampleRate: Int, interpolates: Bool) {
    if !interpolates || sampleRate > 192_000 {
      phases = 0
    } else {
      phases = sampleRate <= 96_000 ? 4 : 2
    }
  }

  /// Measures the next `count` samples, which belong to `step`; returns `false` when one of them
  /// isn't finite.
  func add(_ samples: UnsafePointer<Float>, count: Int, step: Int = 0) -> Bool {
    let before = peaks.between
    peaks.sample = 0
    guard ck_true_peak(samples, count, phases, history.base, &peaks) != 0 else { return false }
    latestPeak = peaks.sample
    samplePeak = max(samplePeak, latestPeak)
    if peaks.between > before { peakStep = step }
    return true
  }

  /// Forgets the peaks so far and keeps the samples that the filter still needs.
  func forgetPeaks() {
    peaks = ck_peaks(sample: 0, between: 0)
    samplePeak = 0
  }

  /// Lets the filter run out after the last sample: a programme cut off at its loudest has its
  /// true peak there.
  func finish() {
    let silence = [Float](repeating: 0, count: AnnexTwoInterpolator.history)
    _ = add(silence, count: silence.count, step: peakStep)
  }
}

/// Finds where the true peak of a stream (ITU-R BS.1770-5, Annex 2) lies above a limit.
///
/// The input is that of ``LoudnessMeter``. Not thread-safe; one owner at a time.
package final class PeakLocator {
  /// The highest place of a stretch of 64 samples in any channel.
  package struct Peak: Sendable, Equatable {
    /// The sample of the programme at or right before it.
    package let position: Int64
    /// Its magnitude; full scale is 1.
    package let level: Float

    /// A peak of magnitude `level` at sample `position`.
    package init(position: Int64, level: Float) {
      self.position = position
      self.level = level
    }
  }

  private static let stretch = 64
  /// Samples before the newest one between which the interpolator's output begins.
  private static let lag = 6

  private let limit: Float
  private let sampleRate: Int
  private let line: AudioBuffer
  private let between = Buffer<Float>(0, count: PeakLocator.stretch)

  /// A locator for audio of `format` that reports peaks above the magnitude `limit`.
  package init(format: AudioFormat, limit: Float) {
    self.limit = limit
    sampleRate = format.sampleRate
    line = AudioBuffer(channels: format.channels)
    line.appendSilence(AnnexTwoInterpolator.history)
  }

  /// The peaks above the limit in the next block, whose first sample is number `position`. A peak in
  /// the last six samples of a block is found in the next one.
  package func find(in block: AudioBuffer, at position: Int64) -> [Peak] {
    line.append(block)
    // The interpolator reads up to the next multiple of 16.
    line.reserve(line.frames + 16)
    var found: [Peak] = []
    for offset in stride(from: 0, to: block.frames, by: PeakLocator.stretch) {
      let count = min(PeakLocator.stretch, block.frames - offset)
      guard let highest = highest(at: offset, count: count) else { continue }
      found.append(
        Peak(
          position: position + Int64(offset + highest.index - PeakLocator.lag),
          level: highest.level))
    }
    line.removeFirst(block.frames)
    return found
  }

  /// The highest of `count` samples from `offset` on and of what lies between them; `nil` when none is
  /// above the limit.
  private func highest(at offset: Int, count: Int) -> (index: Int, level: Float)? {
    let history = AnnexTwoInterpolator.history
    let between = between.base
    var best: (index: Int, level: Float)?
    for channel in 0..<line.channels {
      guard let base = line.channel(channel).baseAddress else { continue }
      let newest = UnsafePointer(base + history + offset)
      let peak = SampleScan.greatestMagnitude(newest - history, count: count + history)
      guard peak * AnnexTwoInterpolator.largestNorm > limit else { continue }
      interpolate(newest, count)
      for index in 0..<count {
        let level = max(between[index], newest[index - PeakLocator.lag].magnitude)
        if level > best?.level ?? limit { best = (index, level) }
      }
    }
    return best
  }

  private func interpolate(_ newest: UnsafePointer<Float>, _ count: Int) {
    if sampleRate <= 96_000 {
      AnnexTwoInterpolator.quadruple(newest, count: count, into: between.base)
    } else if sampleRate <= 192_000 {
      AnnexTwoInterpolator.double(newest, count: count, into: between.base)
    } else {
      between.base.update(repeating: 0, count: count)
    }
  }
}

/// The oversampling filter of ITU-R BS.1770-5, Annex 2: 48 taps in four phases.
///
/// Output `i` is made of inputs `i − 11 … i` and lies between inputs `i − 6` and `i − 5`, an
/// eighth, three eighths, five eighths and seven eighths of the way.
enum AnnexTwoInterpolator {
  /// Inputs before the current one that an output needs.
  static let history = Int(CK_ANNEX_TWO_HISTORY)
  /// Largest sum of tap magnitudes of a phase, rounded up: no output exceeds the largest input
  /// times this, rounding errors included.
  static let largestNorm = ck_annex_two_norm

  /// Writes to `output[i]`, for each `i < count`, the largest magnitude of the four phases.
  ///
  /// Works in groups of 16: `input` is read and `output` written up to the next multiple of 16 of
  /// `count`.
  static func quadruple(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    ck_interpolate(input, count, 4, output)
  }

  /// As ``quadruple(_:count:into:)`` with phases 0 and 2 only, which lie half a sample apart.
  static func double(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    ck_interpolate(input, count, 2, output)
  }
}
