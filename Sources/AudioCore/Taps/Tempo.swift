/// By how much sound is made faster: positions and lengths are divided by it.
package struct Tempo: Sendable, Hashable {
  /// The sound keeps its speed.
  package static let same = Tempo(1)

  /// The factor; 2 halves the length.
  package let factor: Double

  /// A tempo with this `factor`, greater than 0.
  package init(_ factor: Double) { self.factor = factor }

  /// Whether it changes anything.
  package var isSame: Bool { factor == 1 }

  /// This tempo and `other` one behind the other.
  package func followed(by other: Tempo) -> Tempo { Tempo(factor * other.factor) }

  /// What `count` samples, or a position behind so many, become: the nearest whole number, saturated to 62 bits.
  package func frames(_ count: Int64) -> Int64 {
    guard !isSame else { return count }
    return Int64(max(-0x1p62, min(0x1p62, Double(count) / factor)).rounded())
  }

  /// Where `time`, counted from the beginning of the sound, lies afterwards, to a sample of `rate` a second.
  package func time(_ time: MediaTime, rate: Int) -> MediaTime {
    isSame ? time : MediaTime(ticks: frames(time.samples(at: rate)), rate: Int64(rate))
  }
}
