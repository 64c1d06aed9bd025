/// Which ways to the ears an object has used so far.
struct TrackUses {
  private(set) var hasVoice = false
  private(set) var isStraight = false
  private(set) var isDiffuse = false
  private(set) var isBass = false

  /// Adds the ways of `sound`.
  mutating func note(_ sound: ObjectSound) {
    if sound.direct > 0 { hasVoice = true }
    if sound.straight != .zero { isStraight = true }
    if !sound.diffuse.isEmpty { isDiffuse = true }
    if sound.bass > 0 { isBass = true }
  }
}
