/// White noise for test signals, the same in every run (the generator of Numerical Recipes).
package struct ProbeNoise {
  private var state: UInt32

  /// Noise that differs for each `seed`.
  package init(seed: Int) { state = UInt32(truncatingIfNeeded: seed) }

  /// The next sample, from -1 to 1.
  package mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / Float(1 << 23) - 1
  }
}
