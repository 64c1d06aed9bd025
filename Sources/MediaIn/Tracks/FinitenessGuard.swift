import AudioCore
import Samples

/// Replaces samples that can't be sound by silence, right behind the decoder, and counts them: NaN,
/// infinities, and magnitudes beyond those of 32-bit integers, which some files hold unscaled.
struct FinitenessGuard {
  /// Samples replaced because they are no number or infinite.
  private(set) var replaced: Int64 = 0
  /// Samples replaced because they are finite but greater than ``greatest``.
  private(set) var implausible: Int64 = 0
  /// Samples seen.
  private(set) var seen: Int64 = 0
  /// Greatest magnitude among the samples kept.
  private(set) var peak: Float = 0

  /// Greatest magnitude that is kept: 2³², +193 dBFS.
  static let greatest: Float = 4_294_967_296

  /// Checks the frames of `buffer` from `start` on.
  mutating func check(_ buffer: AudioBuffer, from start: Int) {
    for index in 0..<buffer.channels {
      let plane = buffer.channel(index)
      seen += Int64(plane.count - start)
      let found = buffer.greatestMagnitude(channel: index, from: start, count: plane.count - start)
      // NaN fails this comparison and is found below.
      if found <= FinitenessGuard.greatest {
        peak = max(peak, found)
        continue
      }
      for position in start..<plane.count {
        let size = plane[position].magnitude
        if size <= FinitenessGuard.greatest {
          peak = max(peak, size)
          continue
        }
        if size.isFinite { implausible += 1 } else { replaced += 1 }
        plane[position] = 0
      }
    }
  }
}
