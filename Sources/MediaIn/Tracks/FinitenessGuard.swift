import AudioCore

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
      guard let base = plane.baseAddress else { continue }
      let found = magnitude(base + start, plane.count - start)
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

  /// The greatest magnitude, or NaN when there is one.
  ///
  /// Without the sign bit, the bits of finite numbers, infinity and NaN ascend as integers do, and
  /// integers compare eight at a time.
  private func magnitude(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
    let mask = SIMD8<Int32>(repeating: 0x7FFF_FFFF)
    var most = SIMD8<Int32>(repeating: 0)
    var index = 0
    while index + 8 <= count {
      let bits = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Int32>.self)
      most = pointwiseMax(most, bits & mask)
      index += 8
    }
    var greatest = most.max()
    while index < count {
      greatest = max(greatest, Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF))
      index += 1
    }
    return Float(bitPattern: UInt32(bitPattern: greatest))
  }
}
