/// The length of all samples of a track together, and whether that is what they hold: those of sound are frames of the codec,
/// nearly always of one length, and a sample that is said to last longer or shorter than the others moves the clock alone.
package struct MediaLength: Sendable, Equatable {
  /// The end of the last sample, in ticks of the track.
  package internal(set) var ticks: Int64 = 0
  /// Whether all samples last equally long, but the last one, which may hold padding.
  package private(set) var isEven = true
  private var first: Int64?
  private var hasOdd = false

  /// Adds `count` samples of `duration` ticks each.
  mutating func add(_ count: Int64, lasting duration: Int64) {
    guard count > 0 else { return }
    let usual = first ?? duration
    first = usual
    isEven = isEven && !hasOdd && (duration == usual || count == 1)
    hasOdd = duration != usual
    ticks = Saturating.sum(ticks, Saturating.product(count, duration))
  }
}
