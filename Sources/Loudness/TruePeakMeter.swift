/// True peak and sample peak of one channel (ITU-R BS.1770-5, Annex 2).
///
/// Oversamples four times up to 96 kHz, twice up to 192 kHz and takes the samples themselves above.
/// A stretch whose samples can't interpolate past the peak found so far is skipped; the result is
/// the same with or without skipping, and for any cut of the input.
final class TruePeakMeter {
  private enum Oversampling {
    case quadruple
    case double
    case none
  }

  private static let stretch = 128
  private static let history = AnnexTwoInterpolator.history

  /// Largest sample magnitude so far (linear).
  private(set) var samplePeak: Float = 0
  /// Largest interpolated magnitude so far (linear), never below ``samplePeak``.
  private(set) var truePeak: Float = 0
  private let oversampling: Oversampling
  /// History, then a stretch, then room for the last group of eight.
  private let window: UnsafeMutablePointer<Float>
  private let magnitudes: UnsafeMutablePointer<Float>

  /// A meter for samples at `sampleRate` Hz; without `interpolates` it finds sample peaks only.
  init(sampleRate: Int, interpolates: Bool) {
    if !interpolates || sampleRate > 192_000 {
      oversampling = .none
    } else {
      oversampling = sampleRate <= 96_000 ? .quadruple : .double
    }
    let length = TruePeakMeter.history + TruePeakMeter.stretch + 8
    window = .allocate(capacity: length)
    window.initialize(repeating: 0, count: length)
    magnitudes = .allocate(capacity: TruePeakMeter.stretch + 8)
    magnitudes.initialize(repeating: 0, count: TruePeakMeter.stretch + 8)
  }

  deinit {
    window.deallocate()
    magnitudes.deallocate()
  }

  /// Measures the next `count` samples; answers `false` when one of them isn't finite.
  func add(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    var start = 0
    while start < count {
      let part = min(TruePeakMeter.stretch, count - start)
      guard let peak = SampleScan.finitePeak(samples + start, count: part) else { return false }
      samplePeak = max(samplePeak, peak)
      truePeak = max(truePeak, peak)
      if oversampling != .none { interpolate(samples + start, count: part, peak: peak) }
      start += part
    }
    return true
  }

  /// Lets the filter run out after the last sample: a programme cut off at its loudest has its
  /// true peak there.
  func finish() {
    guard oversampling != .none else { return }
    let silence = [Float](repeating: 0, count: TruePeakMeter.history)
    silence.withUnsafeBufferPointer { zeros in
      if let base = zeros.baseAddress { interpolate(base, count: zeros.count, peak: 0) }
    }
  }

  private func interpolate(_ samples: UnsafePointer<Float>, count: Int, peak: Float) {
    let history = TruePeakMeter.history
    (window + history).update(from: samples, count: count)
    let bound = max(peak, SampleScan.peak(window, count: history))
    if bound * AnnexTwoInterpolator.largestNorm > truePeak {
      if oversampling == .quadruple {
        AnnexTwoInterpolator.quadruple(window + history, count: count, into: magnitudes)
      } else {
        AnnexTwoInterpolator.double(window + history, count: count, into: magnitudes)
      }
      truePeak = max(truePeak, SampleScan.peak(magnitudes, count: count))
    }
    window.update(from: window + count, count: history)
  }
}
