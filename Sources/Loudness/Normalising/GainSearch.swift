/// Secant search for the gain at which a limited programme reaches its loudness.
///
/// After a limiter, loudness grows by less than the gain; the more the limiter reduces, the less it
/// grows. The slope is kept between 0.1 and 1.1, so that noise in the measurements can't mislead
/// the search.
struct GainSearch {
  /// Gain to try next, in dB.
  private(set) var gain: Double
  private let target: Double
  private let maxGain: Double
  private var previous: (gain: Double, loudness: Double)?

  /// A search for `target` LUFS from `gain` dB up to `maxGain` dB.
  init(gain: Double, target: Double, maxGain: Double) {
    self.gain = gain
    self.target = target
    self.maxGain = maxGain
  }

  /// Chooses the next ``gain`` from the loudness that the present one gave.
  /// - Returns: `false` when the target lies beyond the largest gain.
  mutating func advance(reached loudness: Double) -> Bool {
    let error = target - loudness
    var slope = 1.0
    if let previous, (gain - previous.gain).magnitude > 0.001 {
      slope = (loudness - previous.loudness) / (gain - previous.gain)
      slope = min(1.1, max(0.1, slope))
    }
    if gain >= maxGain && error > 0 { return false }
    previous = (gain, loudness)
    gain = min(maxGain, gain + error / slope)
    return true
  }
}
