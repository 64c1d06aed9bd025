// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Signal

@Suite struct DecimatorTests {
  private func noise(_ count: Int) -> [Float] {
    var noise = SeededNoise(seed: 3)
    return noise.samples(count)
  }

  private func output(_ input: [Float], factor: Int, taps: [Float], block: Int) -> [Float] {
    let decimator = Decimator(factor: factor, taps: taps)
    var output: [Float] = []
    func take(_ from: UnsafePointer<Float>, _ count: Int) {
      #expect(count <= decimator.largest)
      output += UnsafeBufferPointer(start: from, count: count)
    }
    input.withUnsafeBufferPointer { input in
      guard let base = input.baseAddress else { return }
      for start in stride(from: 0, to: input.count, by: block) {
        decimator.add(base + start, count: min(block, input.count - start), take)
      }
    }
    decimator.finish(take)
    return output
  }

  @Test(
    "each output is the filter around its place, silence outside, with the same bits for any block",
    arguments: [(1, 1), (2, 49), (3, 73), (6, 145), (11, 265), (48, 1153)])
  func outputsAreFilteredPlaces(factor: Int, count: Int) {
    let taps = noise(count)
    for length in [0, 1, factor, 5000] {
      let input = noise(length)
      let found = output(input, factor: factor, taps: taps, block: 1 << 20)
      #expect(found.count == (length + factor - 1) / factor)
      for (index, value) in found.enumerated() {
        var wanted = 0.0
        let first = index * factor - count / 2
        for tap in max(0, -first)..<max(0, min(count, length - first)) {
          wanted += Double(taps[tap]) * Double(input[first + tap])
        }
        #expect((Double(value) - wanted).magnitude < 1e-5 * Double(count).squareRoot())
      }
      for block in [1, 7, 480, 4097] {
        #expect(output(input, factor: factor, taps: taps, block: block) == found)
      }
    }
  }

  @Test("parts of a turn have their cosine and sine")
  func turnsAreExact() {
    for denominator in [1, 2, 3, 8, 360, 512, 44_100] {
      for numerator in stride(
        from: -denominator, through: 2 * denominator, by: max(1, denominator / 97))
      {
        let angle = 2 * Double.pi * Double(numerator) / Double(denominator)
        let point = Turn.point(numerator, of: denominator)
        #expect((point.cosine - cos(angle)).magnitude < 3e-15)
        #expect((point.sine - sin(angle)).magnitude < 3e-15)
      }
    }
    #expect(Turn.point(1, of: 4) == (0, 1) && Turn.point(-1, of: 2) == (-1, 0))
  }

  @Test("eight transforms side by side are those of their lanes", arguments: [4, 8, 256, 512])
  func lanesAreTransformedApart(length: Int) {
    let fft = ParallelFFT(length: length)
    let (real, imaginary) = (noise(8 * length), noise(16 * length).suffix(8 * length).map { $0 })
    let re = Buffer(real, or: 0)
    let im = Buffer(imaginary, or: 0)
    fft.transform(re.base, im.base)
    for lane in 0..<8 {
      var wantedReal = (0..<length).map { Double(real[8 * $0 + lane]) }
      var wantedImaginary = (0..<length).map { Double(imaginary[8 * $0 + lane]) }
      DoubleFFT(length: length).forward(&wantedReal, &wantedImaginary)
      for point in 0..<length {
        #expect((Double(re.base[8 * point + lane]) - wantedReal[point]).magnitude < 1e-4)
        #expect((Double(im.base[8 * point + lane]) - wantedImaginary[point]).magnitude < 1e-4)
      }
    }
    // A signal has the same bits in each lane.
    let copies = Buffer<Float>(aligned: 8 * length)
    let zeros = Buffer<Float>(aligned: 8 * length)
    for index in 0..<8 * length { copies.base[index] = real[index / 8] }
    fft.transform(copies.base, zeros.base)
    #expect((0..<8 * length).allSatisfy { copies.base[$0] == copies.base[$0 / 8 * 8] })
    #expect((0..<8 * length).allSatisfy { zeros.base[$0] == zeros.base[$0 / 8 * 8] })
  }
}
