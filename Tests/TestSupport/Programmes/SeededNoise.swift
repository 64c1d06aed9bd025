// SPDX-License-Identifier: Apache-2.0

/// A small repeatable generator for test signals (SplitMix64).
package struct SeededNoise: RandomNumberGenerator {
  private var state: UInt64

  /// A generator whose sequence depends on `seed` only.
  package init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// `count` samples of white noise in ±`peak`.
  package mutating func samples(_ count: Int, peak: Float = 1) -> [Float] {
    (0..<count).map { _ in Float.random(in: -peak...peak, using: &self) }
  }

  /// `count` angles, 0…2π.
  package mutating func angles(_ count: Int) -> [Double] {
    (0..<count).map { _ in Double.random(in: 0..<2 * .pi, using: &self) }
  }

  /// `count` samples of noise in ±2 `peak` that falls with frequency, so that lossy codecs keep it.
  package mutating func darkSamples(_ count: Int, peak: Float) -> [Float] {
    var (slow, fast): (Float, Float) = (0, 0)
    return samples(count, peak: peak).map { sample in
      slow += (sample - slow) * 0.2
      fast += (slow - fast) * 0.3
      return fast * 2
    }
  }
}
