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
      // x × 0 is 0 for every finite x and NaN else, so one sum tells whether to look closer.
      var probe: Float = 0
      for position in start..<plane.count { probe += plane[position] * 0 }
      guard probe.isNaN else { continue }
      for position in start..<plane.count where !plane[position].isFinite {
        plane[position] = 0
        replaced += 1
      }
    }
  }
}
