import Platform
import Signal

/// Repairs the levels of demixed channels, which coding noise of their sources has changed.
final class ReconGainSmoother {
  /// Weight of a frame's gain in its average with those before, 2 / (N + 1) for N = 7.
  private static let share = 0.25

  private let averages: FixedBuffer<Double>
  /// Whether a channel has ever had a gain; it isn't touched before.
  private let isActive: FixedBuffer<Bool>
  /// Samples in which a frame's average takes over from the last one.
  private let overlap: Int
  /// The weight of the frame's average in these samples.
  private let rise: FixedBuffer<Double>
  /// The weight of the last average.
  private let fall: FixedBuffer<Double>

  /// A smoother of `channels` channels; `nil` for codecs that need none.
  init?(_ codec: CodecConfig, channels: Int) {
    let length: Int
    switch codec.decoder {
    case .opus: length = 60
    case .aac: length = 64
    case .flac, .lpcm, .unknown: return nil
    }
    overlap = min(length, codec.samplesPerFrame)
    averages = FixedBuffer(1, count: channels)
    isActive = FixedBuffer(false, count: channels)
    let count = overlap
    let window = (0..<2 * count).map {
      0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(2 * count - 1))
    }
    rise = FixedBuffer(Array(window[..<count]), or: 1)
    fall = FixedBuffer(Array(window[count...]), or: 0)
  }

  /// Repairs the samples of channel `index` in one frame.
  /// - Parameter gain: the frame's; `nil` without one, which counts as 1 once there has been one.
  func apply(_ gain: Double?, to samples: UnsafeMutableBufferPointer<Float>, channel index: Int) {
    guard gain != nil || isActive.base[index] else { return }
    isActive.base[index] = true
    let last = averages.base[index]
    let average = ReconGainSmoother.share * (gain ?? 1) + (1 - ReconGainSmoother.share) * last
    averages.base[index] = average
    let border = min(overlap, samples.count)
    for place in 0..<border {
      let factor = last * fall.base[place] + average * rise.base[place]
      samples[place] = Float(Double(samples[place]) * factor)
    }
    let factor = Float(average)
    for place in border..<samples.count { samples[place] *= factor }
  }
}
