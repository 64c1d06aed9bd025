// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Signal

/// The transform in single precision against the sums that define it.
@Suite struct SingleFFTTests {
  // Each radix first and last; a length twice, after others have been asked for.
  @Test("each bin is its sum within 1e-4, whichever lengths were transformed before")
  func eachBinIsItsSum() {
    for length in [4, 8, 60, 64, 120, 4, 96, 100, 64, 256] {
      var noise = SeededNoise(seed: UInt64(length))
      let (real, imaginary) = (noise.samples(length), noise.samples(length))
      let (re, im) = (Buffer(real, or: 0), Buffer(imaginary, or: 0))
      SingleFFT(length: length).transform(re.base, im.base)
      for bin in 0..<length {
        var sum = (re: 0.0, im: 0.0)
        for point in 0..<length {
          let angle = -2 * Double.pi * Double(bin * point % length) / Double(length)
          let (x, y) = (Double(real[point]), Double(imaginary[point]))
          sum.re += x * cos(angle) - y * sin(angle)
          sum.im += x * sin(angle) + y * cos(angle)
        }
        #expect(abs(Double(re.base[bin]) - sum.re) < 1e-4, "length \(length), bin \(bin)")
        #expect(abs(Double(im.base[bin]) - sum.im) < 1e-4, "length \(length), bin \(bin)")
      }
    }
  }
}
