// SPDX-License-Identifier: Apache-2.0
import Signal

/// Makes the noise that matrices add, which is the same in every decoder: from a seed of 23 bits that restart headers send.
struct NoiseGenerator {
  private static let mask = 0x7F_FFFF

  /// Seed of what comes next, 23 bits.
  var seed = 0

  /// Writes `count` samples of both channels of noise, each a signed byte that is shifted left.
  mutating func fill(
    _ first: UnsafeMutablePointer<Int32>, _ second: UnsafeMutablePointer<Int32>, count: Int,
    shift: Int
  ) {
    var seed = seed
    for index in 0..<count {
      let next = seed >> 7
      first[index] = Int32(Int8(truncatingIfNeeded: seed >> 15)) << Int32(shift)
      second[index] = Int32(Int8(truncatingIfNeeded: next)) << Int32(shift)
      seed = (next ^ next << 5 ^ seed << 16) & NoiseGenerator.mask
    }
    self.seed = seed
  }

  /// Writes the dither of a unit; `values` are ``NoiseTable/values``.
  mutating func fill(_ table: Buffer<Int32>, _ values: Buffer<Int32>) {
    var seed = seed
    for index in 0..<table.count {
      let top = seed >> 15
      table.base[index] = values.base[top]
      seed = (seed << 8 ^ top ^ top << 5) & NoiseGenerator.mask
    }
    self.seed = seed
  }
}
