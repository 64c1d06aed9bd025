// SPDX-License-Identifier: Apache-2.0

/// Seeded white noise, the same in every run.
struct Noise {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The next value, −1 to 1.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }
}
