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
      // An exponent of all ones is NaN or infinity; integers compare many at a time.
      var found: UInt32 = 0
      for position in start..<plane.count {
        found |= plane[position].bitPattern & 0x7F80_0000 == 0x7F80_0000 ? 1 : 0
      }
      guard found != 0 else { continue }
      for position in start..<plane.count where !plane[position].isFinite {
        plane[position] = 0
        replaced += 1
      }
    }
  }
}
