import CKernels

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
  private let history: UnsafeMutablePointer<Float>

  /// A meter for samples at `sampleRate` Hz; without `interpolates` it finds sample peaks only.
  init(sampleRate: Int, interpolates: Bool) {
    if !interpolates || sampleRate > 192_000 {
      phases = 0
    } else {
      phases = sampleRate <= 96_000 ? 4 : 2
    }
    history = .allocate(capacity: Int(CK_TRUE_PEAK_HISTORY))
    history.initialize(repeating: 0, count: Int(CK_TRUE_PEAK_HISTORY))
  }

  deinit { history.deallocate() }

  /// Measures the next `count` samples, which belong to `step`; returns `false` when one of them
  /// isn't finite.
  func add(_ samples: UnsafePointer<Float>, count: Int, step: Int = 0) -> Bool {
    let before = peaks.between
    peaks.sample = 0
    guard ck_true_peak(samples, count, phases, history, &peaks) != 0 else { return false }
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
