// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

/// The transform in double precision against the sums that define it.
@Suite struct DoubleFFTTests {
  private func noise(_ count: Int, seed: UInt64) -> [Double] {
    var noise = SeededNoise(seed: seed)
    return (0..<count).map { _ in Double.random(in: -1...1, using: &noise) }
  }

  // With an even and an odd number of passes, and as many points as each width of vectors needs.
  @Test("each bin of the transform is its sum within 1e-12", arguments: [2, 4, 8, 16, 32, 64, 128])
  func everyBinIsItsSum(length: Int) {
    let (real, imaginary) = (noise(length, seed: 1), noise(length, seed: 2))
    var (re, im) = (real, imaginary)
    DoubleFFT(length: length).forward(&re, &im)
    for bin in 0..<length {
      var sum = (re: 0.0, im: 0.0)
      for point in 0..<length {
        let angle = -2 * Double.pi * Double(bin * point) / Double(length)
        sum.re += real[point] * cos(angle) - imaginary[point] * sin(angle)
        sum.im += real[point] * sin(angle) + imaginary[point] * cos(angle)
      }
      #expect(abs(re[bin] - sum.re) < 1e-12 && abs(im[bin] - sum.im) < 1e-12, "bin \(bin)")
    }
  }

  @Test("a transform there and back gives the signal times its length", arguments: [2, 16, 256])
  func thereAndBackIsTheLengthTimesAsMuch(length: Int) {
    let (real, imaginary) = (noise(length, seed: 3), noise(length, seed: 4))
    var (re, im) = (real, imaginary)
    let fft = DoubleFFT(length: length)
    fft.forward(&re, &im)
    fft.inverse(&re, &im)
    for point in 0..<length {
      #expect(abs(re[point] / Double(length) - real[point]) < 1e-13)
      #expect(abs(im[point] / Double(length) - imaginary[point]) < 1e-13)
    }
  }

  @Test("a transform's length is the next power of two, at least 2")
  func lengthsArePowersOfTwo() {
    for (wanted, length) in [(1, 2), (2, 2), (3, 4), (64, 64), (65, 128)] {
      #expect(DoubleFFT(length: wanted).length == length)
    }
  }
}
