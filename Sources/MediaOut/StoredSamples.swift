import AudioCore
import Samples

/// The samples of a lossless output as its readers get them: rounded to its integers, or the floats
/// themselves.
final class StoredSamples {
  /// What the last block became; valid until the next one is taken.
  private(set) var last: AudioBuffer
  /// `nil` for floats.
  private var grid: SampleGrid?
  private let rounded: AudioBuffer

  /// Samples of `channels` channels in integers of `bits` bits, or in floats for `nil`.
  init(channels: Int, bits: Int?, dither: Dither) {
    grid = bits.map { SampleGrid(bits: $0, isDithered: dither == .tpdf) }
    rounded = AudioBuffer(channels: channels)
    last = rounded
  }

  /// Samples that had to be clamped to full scale.
  var clipped: Int64 { grid?.clipped ?? 0 }

  /// Makes of `buffer` what is stored of it.
  func take(_ buffer: AudioBuffer) -> AudioBuffer {
    rounded.removeAll()
    grid?.append(buffer, to: rounded)
    last = grid == nil ? buffer : rounded
    return last
  }
}
