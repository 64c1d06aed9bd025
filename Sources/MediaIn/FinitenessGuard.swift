import AudioCore

/// Replaces NaN and infinities by silence at the door and counts them.
struct FinitenessGuard {
  /// Samples replaced.
  private(set) var replaced: Int64 = 0
  /// Samples seen.
  private(set) var seen: Int64 = 0

  /// Checks the frames of `buffer` from `start` on.
  mutating func check(_ buffer: AudioBuffer, from start: Int) {
    for index in 0..<buffer.channels {
      let plane = buffer.channel(index)
      seen += Int64(plane.count - start)
      guard let base = plane.baseAddress, !isFinite(base + start, plane.count - start) else {
        continue
      }
      for position in start..<plane.count where !plane[position].isFinite {
        plane[position] = 0
        replaced += 1
      }
    }
  }

  /// Whether all samples are finite: an exponent of all ones is NaN or infinity, and integers
  /// compare many at a time.
  private func isFinite(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
    let exponent = SIMD8<Int32>(repeating: 0x7F80_0000)
    var found = SIMDMask<SIMD8<Int32>>(repeating: false)
    var index = 0
    while index + 8 <= count {
      let bits = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Int32>.self)
      found .|= (bits & exponent) .== exponent
      index += 8
    }
    if found != SIMDMask<SIMD8<Int32>>(repeating: false) { return false }
    while index < count {
      if !samples[index].isFinite { return false }
      index += 1
    }
    return true
  }
}
