// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Signal

/// Rounding to integers.
@Suite struct SampleGridTests {
  /// Integer codes, interleaved, from blocks of `block` frames.
  private func codes(
    _ planes: [[Float]], bits: Int, isDithered: Bool = false, block: Int = .max
  ) -> (codes: [Int], clipped: Int64) {
    var grid = SampleGrid(bits: bits, isDithered: isDithered)
    let scale = Float(1 << (bits - 1))
    let frames = planes.first?.count ?? 0
    let target = AudioBuffer(channels: planes.count)
    for start in stride(from: 0, to: frames, by: min(block, frames)) {
      let end = min(frames, start + min(block, frames))
      grid.append(Signals.buffer(planes.map { Array($0[start..<end]) }), to: target)
    }
    let codes = (0..<frames).flatMap { frame in
      planes.indices.map { Int(target.channel($0)[frame] * scale) }
    }
    return (codes, grid.clipped)
  }

  @Test("each 16-bit integer is unchanged and none is clipped")
  func sixteenBitIntegersAreUnchanged() {
    let integers = Array(-32_768...32_767)
    let result = codes([integers.map { Float($0) / 32_768 }], bits: 16)
    #expect(result.codes == integers)
    #expect(result.clipped == 0)
  }

  @Test("24-bit integers are unchanged and none is clipped")
  func twentyFourBitIntegersAreUnchanged() {
    let integers =
      [-8_388_608, -8_388_607, -1, 0, 1, 8_388_606, 8_388_607]
      + Array(stride(from: -8_388_608, to: 8_388_608, by: 4093))
    let result = codes([integers.map { Float($0) / 8_388_608 }], bits: 24)
    #expect(result.codes == integers)
    #expect(result.clipped == 0)
  }

  @Test("halves round to even codes")
  func halvesRoundToEven() {
    let halves: [Float] = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5]
    #expect(codes([halves.map { $0 / 32_768 }], bits: 16).codes == [0, 2, 2, 0, -2, -2])
  }

  /// A value that rounds to the highest code fits; one that rounds beyond it doesn't.
  @Test("values that round to the highest or lowest code aren't clipped, and one beyond it is")
  func theTopCodeIsNotClipped() {
    let step = Float(1) / 32_768
    let result = codes([[32_767.3 * step, 32_767.6 * step, -32_768.4 * step]], bits: 16)
    #expect(result.codes == [32_767, 32_767, -32_768])
    #expect(result.clipped == 1)
  }

  @Test("samples above full scale are clamped and counted", arguments: [16, 24])
  func whatDoesNotFitIsClampedAndCounted(bits: Int) {
    let top = (1 << (bits - 1)) - 1
    let result = codes(
      [[1.5, -1.5, .infinity, -.infinity, -1, 0]], bits: bits)
    #expect(result.codes == [top, -top - 1, top, -top - 1, -top - 1, 0])
    #expect(result.clipped == 4)
  }

  @Test("NaN becomes a code of at most 1, with and without dither", arguments: [false, true])
  func notANumberBecomesSilence(isDithered: Bool) {
    let result = codes([[.nan, .signalingNaN]], bits: 16, isDithered: isDithered)
    #expect(result.codes.allSatisfy { $0.magnitude <= 1 })
  }

  @Test("two channels keep their codes frame by frame")
  func channelsAreInterleaved() {
    let planes: [[Float]] = [[1, 2, 3], [4, 5, 6]].map { $0.map { $0 / 32_768 } }
    #expect(codes(planes, bits: 16).codes == [1, 4, 2, 5, 3, 6])
  }

  /// No integer is −0, so no reader gets one.
  @Test("small negative samples become 0 with a plus sign")
  func nothingBecomesMinusZero() {
    let target = AudioBuffer(channels: 1)
    var grid = SampleGrid(bits: 16, isDithered: false)
    grid.append(Signals.buffer([[Float](repeating: -1e-9, count: 11)]), to: target)
    #expect(target.channel(0).allSatisfy { $0 == 0 && $0.sign == .plus })
  }

  /// TPDF dither of ±1 LSB and rounding: no bias, and an error of 1/4 LSB² whatever the input.
  @Test(
    "dithered levels between codes have no bias and an error of 1/4 LSB²",
    arguments: [0, 0.25, 0.5, 0.9] as [Float])
  func ditherHidesTheSteps(offset: Float) {
    let count = 200_000
    let level = 100 + offset
    let plane = [Float](repeating: level / 32_768, count: count)
    let errors = codes([plane], bits: 16, isDithered: true).codes.map { Double($0) - Double(level) }
    let mean = errors.reduce(0, +) / Double(count)
    let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
    #expect(abs(mean) < 0.006)
    #expect(abs(variance - 0.25) < 0.006)
    #expect(errors.allSatisfy { $0.magnitude <= 1.5 })
  }

  /// On an exact integer the triangular noise rounds to −1, 0, 1 in proportions 1/8, 3/4, 1/8.
  @Test("dithered zeros are −1, 0 and 1 in shares of 1/8, 3/4 and 1/8")
  func ditherIsTriangular() {
    let count = 200_000
    let result = codes([[Float](repeating: 0, count: count)], bits: 16, isDithered: true).codes
    let shares = [-1, 0, 1].map { code in
      Double(result.count { $0 == code }) / Double(count)
    }
    #expect(zip(shares, [0.125, 0.75, 0.125]).allSatisfy { abs($0 - $1) < 0.005 })
  }

  @Test("dither gives the same codes each time and for blocks of any size")
  func ditherRepeatsAndDoesNotDependOnBlocks() {
    var noise = SeededNoise(seed: 3)
    let planes = [noise.samples(5000), noise.samples(5000)]
    let whole = codes(planes, bits: 16, isDithered: true).codes
    for block in [1, 7, 480, 5000] {
      #expect(codes(planes, bits: 16, isDithered: true, block: block).codes == whole)
    }
  }

  @Test("dither at the lowest code isn't clipping, and 1000 samples of 1.1 are")
  func ditherAloneIsNoClipping() {
    let planes: [[Float]] = [[Float](repeating: -1, count: 1000)]
    #expect(codes(planes, bits: 16, isDithered: true).clipped == 0)
    let loud: [[Float]] = [[Float](repeating: 1.1, count: 1000)]
    #expect(codes(loud, bits: 16, isDithered: true).clipped == 1000)
  }
}
