// SPDX-License-Identifier: Apache-2.0
import CKernels
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The C kernels against plain references in Double, and their clones against each other.
@Suite struct ConvolutionKernelTests {
  private static let lengths = (7...16).map { 1 << $0 }

  private func noise(_ count: Int, seed: UInt64) -> Buffer<Float> {
    var source = SeededNoise(seed: seed)
    let block = Buffer(aligned: count)
    for (index, value) in source.samples(count, peak: 0.5).enumerated() {
      block.base[index] = value
    }
    return block
  }

  private func values(_ block: Buffer<Float>, _ start: Int, _ count: Int) -> [Double] {
    (start..<start + count).map { Double(block.base[$0]) }
  }

  private func isSame(_ one: Buffer<Float>, _ other: Buffer<Float>) -> Bool {
    zip(one.values, other.values).allSatisfy { $0.bitPattern == $1.bitPattern }
  }

  @Test("the kernel's transforms are those of a plain one", arguments: lengths)
  func transformsAreThoseOfThePlainOne(length: Int) {
    let fft = PlanarTransform(length: length)
    let signal = noise(2 * fft.stride, seed: UInt64(length))
    let spectrum = fft.planes()
    fft.forward(signal.base, signal.base + fft.stride, into: spectrum)
    var re = values(signal, 0, length)
    var im = values(signal, fft.stride, length)
    DoubleFFT(length: length).forward(&re, &im)
    let found = values(spectrum, 0, length) + values(spectrum, fft.stride, length)
    #expect(Render.difference(found, re + im) < -135)
    // The inverse transform rounds its results only.
    let back = fft.planes()
    fft.inverse(spectrum, into: back)
    re = values(spectrum, 0, length)
    im = values(spectrum, fft.stride, length)
    DoubleFFT(length: length).forward(&im, &re)
    let again = values(back, 0, length) + values(back, fft.stride, length)
    #expect(Render.difference(again, re + im) < -150)
  }

  @Test("the kernel's clones for other processors give the same bits", arguments: lengths)
  func clonesGiveTheSameBits(length: Int) {
    let signal = noise(2 * length, seed: UInt64(length))
    let (re, im) = (signal.base, signal.base + length)
    let (one, other) = (Buffer(aligned: 2 * length), Buffer(aligned: 2 * length))
    let table = Buffer(aligned: cc_table_size(length))
    let work = Buffer(aligned: cc_work_size(length))
    cc_make_table(length, table.base)
    cc_transform(length, table.base, work.base, re, im, one.base, one.base + length)
    cc_transform_baseline(
      length, table.base, work.base, re, im, other.base, other.base + length)
    #expect(isSame(one, other))
    let precise = UnsafeMutablePointer<Double>.allocate(aligned: cc_table_size(length))
    let space = UnsafeMutablePointer<Double>.allocate(aligned: cc_work_size(length))
    defer {
      precise.deallocate()
      space.deallocate()
    }
    cc_make_precise_table(length, precise)
    cc_transform_precisely(length, precise, space, re, im, one.base, one.base + length)
    cc_transform_precisely_baseline(
      length, precise, space, re, im, other.base, other.base + length)
    #expect(isSame(one, other))
  }

  @Test("the kernel sums products of spectra", arguments: [1, 3, 4, 5, 24])
  func productsAreSummed(count: Int) {
    let (length, stride) = (128, 144)
    let spectra = (0..<count).map { noise(2 * stride, seed: UInt64($0)) }
    let filters = (0..<count).map { noise(2 * stride, seed: UInt64(100 + $0)) }
    let pointers = [spectra, filters].map { blocks in
      blocks.map { block -> UnsafePointer<Float>? in UnsafePointer(block.base) }
    }
    let sum = Buffer(aligned: 2 * stride)
    let other = Buffer(aligned: 2 * stride)
    cc_multiply(length, stride, count, pointers[0], pointers[1], sum.base)
    cc_multiply_baseline(length, stride, count, pointers[0], pointers[1], other.base)
    #expect(isSame(sum, other))
    var expected = [Double](repeating: 0, count: 2 * length)
    for (x, h) in zip(spectra, filters) {
      for bin in 0..<length {
        let a = Complex(Double(x.base[bin]), Double(x.base[stride + bin]))
        let b = Complex(Double(h.base[bin]), Double(h.base[stride + bin]))
        expected[bin] += (a * b).re
        expected[length + bin] += (a * b).im
      }
    }
    let found = values(sum, 0, length) + values(sum, stride, length)
    #expect(Render.difference(found, expected) < -140)
  }
}

extension UnsafeMutablePointer<Double> {
  /// `count` zeros on a boundary of 64 bytes.
  fileprivate static func allocate(aligned count: Int) -> UnsafeMutablePointer<Double> {
    let raw = UnsafeMutableRawPointer.allocate(byteCount: 8 * count, alignment: 64)
    let base = raw.bindMemory(to: Double.self, capacity: count)
    base.initialize(repeating: 0, count: count)
    return base
  }
}
